// The header that the Swift compiler writes includes the C library and uses nothing of it.
