# SPDX-License-Identifier: BSD-3-Clause
#
# What every application's Makefile includes after it has set NAME, SOURCES and, where wanted,
# HEADERS, INCLUDES and LIBRARIES. OSHCC is the compiler wrapper, OUT the folder that gets the program.
OSHCC  ?= oshcc
OUT    ?= ../../build/apps
CFLAGS ?= -O2

COMMON := ../common

.PHONY: all clean
all: $(OUT)/$(NAME)

$(OUT)/$(NAME): $(SOURCES) $(HEADERS) $(COMMON)/app.h
	@mkdir -p $(OUT)
	$(OSHCC) -std=gnu17 -Wall -Wextra $(CFLAGS) -I$(COMMON) $(INCLUDES) -o $@ $(SOURCES) $(LIBRARIES) -lm

clean:
	rm -f $(OUT)/$(NAME)
