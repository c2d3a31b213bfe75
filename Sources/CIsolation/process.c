/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__)
#  include <sys/prctl.h>
#endif

#include "CIsolation.h"

extern char **environ;

int32_t mrdi_shared_memory(void) {
#if defined(__linux__)
  int file = memfd_create("meridian", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file >= 0) (void)fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK);
  return file;
#else
  char name[] = "/tmp/meridian-shared-XXXXXX";
  int file = mkstemp(name);
  if (file >= 0) {
    unlink(name);
    (void)fcntl(file, F_SETFD, FD_CLOEXEC);
  }
  return file;
#endif
}

/* The environment with the backtracer off; NULL = no memory. The strings stay where they are. */
static char **worker_environment(void) {
  static char setting[] = "SWIFT_BACKTRACE=enable=no";
  size_t count = 0, kept = 0;
  while (environ[count] != NULL) count++;
  char **copy = malloc((count + 2) * sizeof *copy);
  if (copy == NULL) return NULL;
  for (size_t i = 0; i < count; i++) {
    if (strncmp(environ[i], "SWIFT_BACKTRACE=", 16) != 0) copy[kept++] = environ[i];
  }
  copy[kept++] = setting;
  copy[kept] = NULL;
  return copy;
}

int32_t mrdi_start_worker(const char *word, int32_t channel, int32_t request, int32_t result, int32_t *process) {
  const int wanted[3] = {MRDI_CHANNEL, MRDI_REQUEST, MRDI_RESULT}, own[3] = {channel, request, result};
  int safe[3] = {-1, -1, -1};
  char **environment = worker_environment();
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none;
  int failure = environment == NULL ? ENOMEM : 0;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  /* Out of the way first: one of them may have the number that another one gets. */
  for (int i = 0; i < 3 && failure == 0; i++) {
    safe[i] = fcntl(own[i], F_DUPFD_CLOEXEC, 16);
    failure = safe[i] < 0 ? errno : posix_spawn_file_actions_adddup2(&actions, safe[i], wanted[i]);
  }
  /* Results of the command are on standard output: what a kernel prints goes to standard error. */
  if (failure == 0) failure = posix_spawn_file_actions_adddup2(&actions, 2, 1);
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  if (failure == 0) {
    char *arguments[3] = {"meridian", (char *)word, NULL};
    pid_t child = 0;
    failure = posix_spawn(&child, "/proc/self/exe", &actions, &attributes, arguments, environment);
    *process = (int32_t)child;
  }
  for (int i = 0; i < 3; i++) {
    if (safe[i] >= 0) close(safe[i]);
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  free(environment);
  return failure;
}

int32_t mrdi_channel(int32_t *own, int32_t *others) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return errno;
  (void)fcntl(pair[0], F_SETFD, FD_CLOEXEC);
  (void)fcntl(pair[1], F_SETFD, FD_CLOEXEC);
  *own = pair[0];
  *others = pair[1];
  return 0;
}

int32_t mrdi_settle_worker(int64_t bytes) {
  const struct rlimit none = {0, 0};
  signal(SIGINT, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
#if defined(__linux__)
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (setrlimit(RLIMIT_CORE, &none) != 0) return errno;
  if (bytes > 0) {
    const struct rlimit memory = {(rlim_t)bytes, (rlim_t)bytes};
    if (setrlimit(RLIMIT_AS, &memory) != 0) return errno;
  }
  return 0;
}

int32_t mrdi_wait(int32_t channel, int32_t milliseconds) {
  struct pollfd what = {channel, POLLIN, 0};
  return poll(&what, 1, milliseconds) > 0;
}

int32_t mrdi_send(int32_t channel, const void *bytes, int64_t count) {
  const char *at = bytes;
  while (count > 0) {
    ssize_t sent = send(channel, at, (size_t)count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return 0;
    at += sent;
    count -= sent;
  }
  return 1;
}

int32_t mrdi_receive(int32_t channel, void *bytes, int64_t count) {
  char *at = bytes;
  while (count > 0) {
    ssize_t got = recv(channel, at, (size_t)count, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return 0;
    at += got;
    count -= got;
  }
  return 1;
}

int32_t mrdi_is_channel(int32_t descriptor) {
  struct stat what;
  return fstat(descriptor, &what) == 0 && S_ISSOCK(what.st_mode);
}

void *mrdi_map(int32_t descriptor, int64_t bytes, int32_t writes) {
  const int rights = writes ? PROT_READ | PROT_WRITE : PROT_READ;
  void *start = mmap(NULL, (size_t)bytes, rights, MAP_SHARED, descriptor, 0);
  return start == MAP_FAILED ? NULL : start;
}

void mrdi_unmap(void *start, int64_t bytes) { (void)munmap(start, (size_t)bytes); }

mrdi_end mrdi_end_process(int32_t process, int32_t milliseconds) {
  mrdi_end end = {0, 0};
  int status = 0;
  pid_t got = waitpid(process, &status, WNOHANG);
  for (int32_t i = 0; i < milliseconds && got == 0; i++) {
    usleep(1000);
    got = waitpid(process, &status, WNOHANG);
  }
  if (got == 0) {
    kill(process, SIGKILL);
    do { got = waitpid(process, &status, 0); } while (got < 0 && errno == EINTR);
  }
  if (got == process && WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  if (got == process && WIFEXITED(status)) end.code = WEXITSTATUS(status);
  return end;
}

const char *mrdi_signal_name(int32_t number) {
  static const struct {
    int number;
    const char *name;
  } names[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGILL, "SIGILL"},   {SIGFPE, "SIGFPE"},
               {SIGABRT, "SIGABRT"}, {SIGTRAP, "SIGTRAP"}, {SIGKILL, "SIGKILL"}, {SIGTERM, "SIGTERM"},
               {SIGSYS, "SIGSYS"},   {SIGXCPU, "SIGXCPU"}, {SIGPIPE, "SIGPIPE"}, {SIGALRM, "SIGALRM"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (names[i].number == number) return names[i].name;
  }
  return NULL;
}
