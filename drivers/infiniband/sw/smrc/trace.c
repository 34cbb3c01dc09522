// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* trace.c: the bodies of the trace events */
#define CREATE_TRACE_POINTS
#include "smrc.h"
#include "trace.h"
