// PostgreSQL's client library: https://www.postgresql.org/docs/15/libpq.html
#include <libpq-fe.h>
