package storage

import "golang.org/x/sys/windows"

// freeBytes is what this process may still write below dir.
func freeBytes(dir string) (free uint64, err error) {
	path, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, err
	}
	err = windows.GetDiskFreeSpaceEx(path, &free, nil, nil)
	return free, err
}
