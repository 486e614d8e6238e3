/*
 * Loaded into a process by LD_PRELOAD: as many percent of its calls that force files to the disk fail with EIO as the first number
 * in the file FAILING_FSYNC says. What was written stays written, as when a disk reports an error late.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static int fails(void) {
  static __thread unsigned int seed = 7;
  char text[8] = {0};
  const char *path = getenv("FAILING_FSYNC");
  int file = path ? open(path, O_RDONLY) : -1;
  if (file < 0) return 0;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  return length > 0 && (int)(rand_r(&seed) % 100) < atoi(text);
}

static int force(const char *name, int file) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  if (!fails()) return real(file);
  errno = EIO;
  return -1;
}

int fsync(int file) { return force("fsync", file); }
int fdatasync(int file) { return force("fdatasync", file); }
