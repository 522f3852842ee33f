package storage

func (s *Store) repair() error { return nil }
