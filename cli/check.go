package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"inflight/storage"
)

// errSaid ends a command that has already said what there was to say.
var errSaid = errors.New("problems were found")

const checkHelp = `Read a whole store and print each rule that it breaks, one a line. No message
is changed, repaired or deleted.

Exit code 0: the store is sound. 1: it is not, or it could not be opened.`

func checkCommand() *cobra.Command {
	var where place
	cmd := &cobra.Command{
		Use:     "check",
		Short:   "verify a store",
		Long:    checkHelp,
		Example: "  inflight check\n  inflight check --data DIR",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := where.directory()
			if err != nil {
				return err
			}
			return check(cmd.OutOrStdout(), dir)
		},
	}
	where.dataFlag(cmd)
	return cmd
}

// check prints the problems of the store in dir, and returns errSaid if there
// are any. It makes no store where there is none.
func check(out io.Writer, dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return fmt.Errorf("there is no store in %s", dir)
	}
	// What else ReadDir has to say, opening says better.
	store, err := openStoreWith(dir, storage.Options{Owner: storage.Owner{Command: "inflight check"}, Keep: true})
	if err != nil {
		return err
	}
	return errors.Join(report(out, dir, store), store.Close())
}

// checker is the part of a store that report needs.
type checker interface {
	Check(report func(problem string)) error
}

func report(out io.Writer, name string, store checker) error {
	problems := 0
	err := store.Check(func(problem string) {
		problems++
		fmt.Fprintln(out, oneLine(problem))
	})
	switch {
	case err != nil:
		return err
	case problems > 0:
		fmt.Fprintf(out, "%s: problems: %d\n", oneLine(name), problems)
		return errSaid
	default:
		_, err = fmt.Fprintf(out, "%s: sound\n", oneLine(name))
		return err
	}
}
