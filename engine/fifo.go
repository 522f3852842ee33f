package engine

// A FIFO queue has one lane per message group instead of one per priority, and
// a rule of its own for what a lane may hand out: nothing behind a message that
// is not ready. Both have their place in contents.lane, which makes lanes, and
// chooser.lane, which walks them. Until they are built, a FIFO queue cannot be
// created: Attributes.validate refuses it.
