package cli

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// errNoHome: there is no place that is the user's own.
var errNoHome = errors.New("cannot tell where your data belongs (no home directory); say --data DIR, or --memory for a throw-away store")

// userDataDir is where a user's store lies if nobody says otherwise. It makes
// nothing.
func userDataDir() (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		home = ""
	}
	return dataDir(runtime.GOOS, os.Getenv, home)
}

// dataDir is userDataDir for any platform. A relative $XDG_DATA_HOME is passed
// over, as its specification asks.
func dataDir(goos string, env func(string) string, home string) (string, error) {
	base := ""
	switch goos {
	case "windows":
		if base = env("LocalAppData"); base == "" && home != "" {
			base = filepath.Join(home, "AppData", "Local")
		}
	case "darwin", "ios":
		if home != "" {
			base = filepath.Join(home, "Library", "Application Support")
		}
	default:
		if base = env("XDG_DATA_HOME"); !filepath.IsAbs(base) {
			base = ""
			if home != "" {
				base = filepath.Join(home, ".local", "share")
			}
		}
	}
	if base == "" {
		return "", errNoHome
	}
	return filepath.Join(base, "inflight"), nil
}
