/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* device.h: Soft-MRC devices and their settings, as sysfs shows them. */
#ifndef SMRC_TOOL_DEVICE_H
#define SMRC_TOOL_DEVICE_H

#include <stddef.h>
#include <stdint.h>

int device_list(char ***names);
int device_settings(const char *dev, char ***names);
int device_counter(const char *dev, const char *counter, uint64_t *value);
int device_get(const char *dev, const char *setting, char *value, size_t size);
int device_set(const char *dev, const char *setting, const char *value);

#endif /* SMRC_TOOL_DEVICE_H */
