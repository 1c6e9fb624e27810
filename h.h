#define LEN 32
