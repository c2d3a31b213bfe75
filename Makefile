# SPDX-License-Identifier: Apache-2.0
#
# One target a task; `make` alone lists them. The work is done by scripts/, which can be run by hand as well.
#
#   MERIDIAN_WITHOUT=geos,proj,sqlite   leaves adapters, and the libraries they need, out of the build
#   DATA=file                           what `make demo` and `make bench` run on
#   PEER_SOURCES=folder                 fetches libraries that no package has, for `make peers`: benchmarks/peers/README.md
#   FLATBUSH= GEODESIC_C= GEOGRAPHICLIB_SRC=   or folders that hold them
#   SUITES="index snap"  SCALE=1        what `make bench` runs, and the share of the published sizes
#   PREFIX=/usr/local  DESTDIR=         where `make install` puts the tree

SHELL := /bin/sh
PREFIX ?= /usr/local
DATA ?= Examples/data/ne_110m_admin_0_countries.geojson
FUZZ_SECONDS ?= 60
SUITES ?= abi measure validate simplify snap index interactive
SCALE ?= 0.1

# A trap in a test must end the process at once: the backtracer of a process under a sanitizer can wait for ever.
export SWIFT_BACKTRACE = enable=no

.DEFAULT_GOAL := help
.PHONY: help deps build demo test test-shipped test-sources test-optimised test-products check-abi check-hygiene check-without \
  build-without check-memory test-debug test-release drivers cross abi sanitize fuzz bench budgets check-budgets peers peers-test \
  format lint install clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## /  \1\t/p' $(MAKEFILE_LIST) | expand -t 18

deps: ## install the Debian and Python packages that building and testing need
	@scripts/deps build test browser

build: ## build everything into build/ (relocatable: bin, lib, include, share)
	@scripts/deps build
	@scripts/build-layout

demo: build ## the main job on a real file: make demo [DATA=file]
	@scripts/demo.sh "$(DATA)"

# One core builds what is shipped and looks at it while another compiles the tests and runs them, with the native kernels of the
# baseline alone; the tests of kernels then run on release builds of all CPU levels. Budgets want the machine for themselves.
# `make test-release` by itself runs the property tests at full size.
test: deps ## all tests
	@$(MAKE) --no-print-directory -j2 test-shipped test-sources
	@$(MAKE) --no-print-directory check-budgets
	@$(MAKE) --no-print-directory -j2 test-optimised cross

test-shipped: build
	@$(MAKE) --no-print-directory check-abi check-hygiene check-without

test-sources: export MERIDIAN_TESTS = debug
test-sources: lint test-products
	@$(MAKE) --no-print-directory test-debug

test-optimised:
	@$(MAKE) --no-print-directory drivers
	@MERIDIAN_TEST_SCALE=small scripts/test-release

test-products:
	@echo 'test: compiling the tests'
	@mkdir -p .build && swift build --build-tests >.build/test-products.log 2>&1 || { cat .build/test-products.log >&2; exit 1; }

check-abi: ## the headers compile everywhere and keep the promises of docs/abi-policy.md
	@scripts/check-headers
	@python3 Tests/ABITests/test_abi.py

check-hygiene: ## every built library exports, needs and searches what it should, and no more
	@python3 Tests/HygieneTests/test_hygiene.py

check-without: ## the demo runs, and refuses in words, in trees that lack adapters
	@scripts/check-without

build-without: ## everything built and tested without adapters: minutes, by hand
	@scripts/check-without build

check-memory: build ## two gigabytes through a pipe in 500 MB: a minute
	@scripts/check-memory

test-debug: ## unit tests and small property tests
	swift test

test-release: build ## property tests at full size
	@scripts/test-release

drivers: ## C and Python programs over libmeridian's C functions, and the frozen plug-in and host
	@scripts/run-drivers

cross: ## headers and native kernels for WebAssembly and arm64
	@scripts/cross-check

abi: ## write abi/current anew after a change of the headers
	@scripts/abi-dump

sanitize: ## the tests under the address, leak, undefined-behaviour and thread sanitizers
	@scripts/sanitize address thread

fuzz: ## the readers under libFuzzer, FUZZ_SECONDS each
	@scripts/fuzz $(FUZZ_SECONDS)

bench: build ## every kernel on the cases of all suites and on DATA: build/bench.html and build/bench.json
	@build/bin/meridian bench $(SUITES) --data "$(DATA)" --scale $(SCALE) --latency --memory --record build/bench.json \
	  -o build/bench.html

budgets: build ## what our kernels promise, measured: all of benchmarks/budgets.json
	@build/bin/meridian bench --enforce

check-budgets: ## the short set of budgets
	@build/bin/meridian bench --enforce --short --quiet

peers: ## plug-ins of other libraries, to compare with: build/peers/plugins
	@scripts/deps build peers
	@PEER_SOURCES="$(PEER_SOURCES)" FLATBUSH="$(FLATBUSH)" GEODESIC_C="$(GEODESIC_C)" GEOGRAPHICLIB_SRC="$(GEOGRAPHICLIB_SRC)" scripts/peers

peers-test: build peers ## the peers keep what they declare and agree with each other
	@build/venv/bin/python Tests/PeerTests/test_peers.py

format: ## format all Swift sources in place
	swift format --in-place --recursive --parallel Package.swift Sources Plugins Tests Examples

lint: ## what CI holds the style against
	@scripts/lint

install: build ## copy build/ to PREFIX
	@scripts/install "$(DESTDIR)$(PREFIX)"

clean: ## remove everything that was built
	rm -rf .build build
