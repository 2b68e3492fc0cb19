# Damages a checkpoint or a folder of weights in one way after the other, and prints what tessera says to each: one error, and nothing made.
import json, os, shutil, struct, subprocess, sys

top = sys.argv[1]  # with a checkpoint in hf, its weights in weights
shard, index = "model-00001-of-00001.safetensors", "model.safetensors.index.json"
matrix, norm = "model.layers.0.mlp.gate_proj.weight", "model.norm.weight"
scale = matrix + "_scale_inv"
tensor_file = "mlp_decoder_block_0/mlp/w1.input_tensor_b.tensorbin"
whole = open(f"{top}/hf/{shard}", "rb").read()
begin = 8 + struct.unpack("<Q", whole[:8])[0]


def say(name, *command):
    try:
        run = subprocess.run(["tessera", *command], capture_output=True, text=True, timeout=60)
        lines = run.stderr.splitlines()
        fine = run.returncode == 1 and len(lines) == 1 and lines[0].startswith("tessera: error: ")
        print(f"{name}: {lines[0][16:] if fine else (run.returncode, run.stdout, run.stderr)}", flush=True)
    except subprocess.TimeoutExpired:
        print(f"{name}: it hangs")


def checkpoint(name, damage):
    shutil.rmtree(f"{top}/bad", ignore_errors=True)
    shutil.rmtree(f"{top}/out", ignore_errors=True)
    shutil.copytree(f"{top}/hf", f"{top}/bad")
    damage(f"{top}/bad")
    say(name, "weights", "convert", "--hf", f"{top}/bad", "--out", f"{top}/out", "-q")
    if os.path.exists(f"{top}/out/weights.json"):
        print(f"{name}: made all the same")


def weights(name, damage, *command):
    shutil.rmtree(f"{top}/bad", ignore_errors=True)
    shutil.copytree(f"{top}/weights", f"{top}/bad")
    damage(f"{top}/bad")
    say(name, *(command or ("generate", "--weights")), f"{top}/bad", *(() if command else ("--prompt-ids", "1,2")))


def rewritten(file, change):
    def damage(folder):
        path = f"{folder}/{file}"
        data = open(path, "rb").read()
        open(path, "wb").write(change(data))
    return damage


def with_header(text):
    return rewritten(shard, lambda data: struct.pack("<Q", len(text)) + text + whole[begin:])


def entry(tensor, **fields):
    header = json.loads(whole[8:begin])
    header[tensor].update(fields)
    return with_header(json.dumps(header).encode())


def bytes_of(tensor, data):
    at = begin + json.loads(whole[8:begin])[tensor]["data_offsets"][0]
    return rewritten(shard, lambda file: file[:at] + data + file[at + len(data):])


def replaced(file, make):
    def damage(folder):
        os.remove(f"{folder}/{file}")
        make(f"{folder}/{file}")
    return damage


checkpoint("header cut", rewritten(shard, lambda data: data[:100]))
checkpoint("data cut", rewritten(shard, lambda data: data[:-1]))
checkpoint("empty file", rewritten(shard, lambda data: b""))
checkpoint("lying length", rewritten(shard, lambda data: b"\xff" * 8 + data[8:]))
checkpoint("short length", rewritten(shard, lambda data: struct.pack("<Q", 50) + data[8:]))
checkpoint("no UTF-8", with_header(whole[8:begin].replace(b"norm", b"n\xffrm")))
checkpoint("key twice", with_header(whole[8:begin].rstrip()[:-1] + b',"model.norm.weight":{}}'))
checkpoint("overlap", entry(norm, data_offsets=json.loads(whole[8:begin])["model.layers.0.input_layernorm.weight"]["data_offsets"]))
checkpoint("overflow", entry(matrix, shape=[2**62, 4, 4]))
checkpoint("no elements", entry(matrix, shape=[0, 256]))
checkpoint("flat matrix", entry(matrix, shape=[512 * 256]))
checkpoint("square norm", entry(norm, shape=[16, 16]))
checkpoint("half floats", entry(norm, dtype="F16"))
checkpoint("fp8 norm", entry(norm, dtype="F8_E4M3", shape=[512]))
checkpoint("scale shape", entry(scale, shape=[2, 4]))
checkpoint("scale NaN", bytes_of(scale, struct.pack("<f", float("nan"))))
checkpoint("weight NaN", bytes_of(matrix, b"\x7f"))
checkpoint("norm infinite", bytes_of(norm, b"\x80\x7f"))
checkpoint("shard missing", lambda folder: os.remove(f"{folder}/{shard}"))
checkpoint("shard a folder", replaced(shard, os.mkdir))
checkpoint("shard a pipe", replaced(shard, os.mkfifo))
checkpoint("shard a link to itself", replaced(shard, lambda path: os.symlink(path, path)))
checkpoint("index outside", rewritten(index, lambda data: data.replace(shard.encode(), b"../" + shard.encode(), 1)))
checkpoint("index cut", rewritten(index, lambda data: data[:-20]))
checkpoint("config twice", rewritten("config.json", lambda data: b'{"vocab_size": 64,' + data.lstrip()[1:]))
checkpoint("config infinite", rewritten("config.json", lambda data: data.replace(b"2.5", b"1e999")))

weights("tensor cut", rewritten(tensor_file, lambda data: data[:-1]))
weights("tensor header cut", rewritten(tensor_file, lambda data: data[:60]))
weights("tensor header lies", rewritten(tensor_file, lambda data: b"\xff" * 8 + data[8:]))
weights("tensor header of ones", rewritten(tensor_file, lambda data: data[:8] + b"\xff" * 400 + data[408:]))
weights("tensor a pipe", replaced(tensor_file, os.mkfifo))
weights("tensor missing", lambda folder: os.remove(f"{folder}/{tensor_file}"))
weights("tensor outside", rewritten("weights.json", lambda data: data.replace(b'"norm/', b'"../norm/')))
weights("weights.json cut", rewritten("weights.json", lambda data: data[:300]))
weights("weights.json cut, verified", rewritten("weights.json", lambda data: data[:300]), "weights", "verify")
weights("config changed, verified", rewritten("config.json", lambda data: data.replace(b"2.5", b"3.5")), "weights", "verify")
weights("manifest of lists", rewritten("manifest.json", lambda data: b'{"tensors": [[]]}'), "weights", "verify")
weights("manifest outside", rewritten("manifest.json", lambda data: data.replace(b'"norm/', b'"../norm/')), "weights", "verify")
