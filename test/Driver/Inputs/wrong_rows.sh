# wrong_rows.sh TESSERA FILE: evaluates each table of FILE, which follows the option that it is for.
cd "$(dirname "$2")" || exit
option=""
while IFS= read -r line || [ -n "$line" ]; do
  case "$line" in
  --timings | --goldens)
    [ -n "$option" ] && "$1" ops evaluate "$option" rows.csv
    option=$line
    : >rows.csv
    ;;
  *) printf '%s\n' "$line" >>rows.csv ;;
  esac
done <"$2"
"$1" ops evaluate "$option" rows.csv
exit 0
