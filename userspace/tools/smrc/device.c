// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * device.c: a Soft-MRC device is one that has a folder "spray"; its files are the settings.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device.h"

#define CLASS "/sys/class/infiniband"

static int is_device(const struct dirent *d)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), CLASS "/%s/spray", d->d_name);
	return d->d_name[0] != '.' && !access(path, F_OK);
}

static int is_setting(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

static int list(const char *dir, int (*wanted)(const struct dirent *d), char ***names)
{
	struct dirent **entries;
	int n = scandir(dir, &entries, wanted, alphasort), i;

	if (n < 0)
		return errno == ENOENT ? 0 : -errno;
	*names = calloc(n + 1, sizeof(**names));
	for (i = 0; i < n; i++) {
		if (*names)
			(*names)[i] = strdup(entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return *names ? n : -ENOMEM;
}

/**
 * device_list - all Soft-MRC devices that this namespace sees
 * @names: their names, sorted
 *
 * Return: how many, or a negative errno.
 */
int device_list(char ***names)
{
	return list(CLASS, is_device, names);
}

/**
 * device_settings - the settings of a device
 * @dev: the device
 * @names: their names, sorted
 *
 * Return: how many, 0 when that is no Soft-MRC device, or a negative errno.
 */
int device_settings(const char *dev, char ***names)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), CLASS "/%s/spray", dev);
	return list(path, is_setting, names);
}

static int open_setting(const char *dev, const char *setting, int flags)
{
	char path[PATH_MAX];
	int fd;

	if (strchr(dev, '/') || strchr(setting, '/'))
		return -EINVAL;
	snprintf(path, sizeof(path), CLASS "/%s/spray/%s", dev, setting);
	fd = open(path, flags | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/**
 * device_get - read a setting
 * @dev: the device
 * @setting: its name
 * @value: the value, without newline
 * @size: room
 *
 * Return: 0 or a negative errno.
 */
int device_get(const char *dev, const char *setting, char *value, size_t size)
{
	int fd = open_setting(dev, setting, O_RDONLY);
	ssize_t n;

	if (fd < 0)
		return fd;
	n = read(fd, value, size - 1);
	close(fd);
	if (n < 0)
		return -errno;
	value[n] = '\0';
	value[strcspn(value, "\n")] = '\0';
	return 0;
}

/**
 * device_set - change a setting
 * @dev: the device
 * @setting: its name
 * @value: the value
 *
 * Return: 0; -EINVAL when the kernel refuses the value, and its log says why; another negative errno.
 */
int device_set(const char *dev, const char *setting, const char *value)
{
	int fd = open_setting(dev, setting, O_WRONLY), err = 0;

	if (fd < 0)
		return fd;
	/* sysfs would take nothing for success */
	if (!*value)
		err = -EINVAL;
	else if (write(fd, value, strlen(value)) < 0)
		err = -errno;
	close(fd);
	return err;
}

/**
 * device_counter - read a counter
 * @dev: the device
 * @counter: its name
 * @value: the value, unchanged when it cannot be read
 *
 * Return: 0 or a negative errno.
 */
int device_counter(const char *dev, const char *counter, uint64_t *value)
{
	char path[PATH_MAX];
	FILE *f;
	int n;

	snprintf(path, sizeof(path), CLASS "/%s/ports/1/hw_counters/%s", dev, counter);
	f = fopen(path, "re");
	if (!f)
		return -errno;
	n = fscanf(f, "%" SCNu64, value);
	fclose(f);
	return n == 1 ? 0 : -EIO;
}
