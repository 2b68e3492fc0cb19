#include "Greedy.h"
using namespace tessera;
Plan tessera::solveGreedy(const Problem &problem, const OpModel &, const PolicyOptions &) { return declaredPlan(problem); }
