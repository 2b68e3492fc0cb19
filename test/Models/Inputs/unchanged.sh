# unchanged.sh FOLDER SCRATCH: each module of FOLDER through `tessera optimize --policy declared`, compared with itself.
all=0 same=0
for file in "$1"/*.mlir; do
  all=$((all + 1))
  if tessera optimize "$file" --policy declared -q -o "$2" && cmp -s "$file" "$2"; then
    same=$((same + 1))
  else
    echo "$file differs"
  fi
done
echo "$same of $all unchanged"
