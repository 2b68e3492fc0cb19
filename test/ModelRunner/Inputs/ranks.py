"""Runs a command several times at once, each told its rank as Open MPI's mpirun does. usage: ranks.py COUNT COMMAND..."""
import os
import subprocess
import sys

count = int(sys.argv[1])
runs = [
    subprocess.Popen(sys.argv[2:], env=dict(os.environ, OMPI_COMM_WORLD_RANK=str(rank), OMPI_COMM_WORLD_SIZE=str(count),
                                            PMIX_NAMESPACE="test"))
    for rank in reversed(range(count))
]
sys.exit(max(run.wait() for run in runs))
