"""Prints the steps of the first plan in a file of `tessera optimize --dump-plan`: what is read, and what is written where."""
import json
import sys

plan = json.load(open(sys.argv[1]))["plans"][0]


def tensors(ids):
    return ", ".join(f"{plan['tensors'][i]['name']} {plan['layouts'][plan['tensors'][i]['layout']]['text']}" for i in ids)


for step in plan["steps"]:
    print(f"{step['location']}: {tensors(step['reads'])} -> {tensors(step['writes'])}")
print(f"returned: {tensors(plan['returned'])}")
