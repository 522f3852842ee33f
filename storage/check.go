package storage

func (s *Store) Check(report func(problem string)) error { return nil }
