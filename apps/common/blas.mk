# SPDX-License-Identifier: BSD-3-Clause
#
# The BLAS that an application takes: the first with CBLAS's interface that pkg-config knows of those in BLASES. Sets
# BLAS, empty without one, BLAS_CFLAGS and BLAS_LIBRARIES.
PKG_CONFIG ?= pkg-config
BLASES ?= openblas cblas blis
BLAS := $(firstword $(foreach name,$(BLASES),$(shell $(PKG_CONFIG) --exists $(name) 2>/dev/null && echo $(name))))
ifneq ($(BLAS),)
BLAS_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(BLAS))
BLAS_LIBRARIES := $(shell $(PKG_CONFIG) --libs $(BLAS))
endif
