// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types of an MPI library, as far as accx/mpi.h needs them.
#ifndef MPI_H
#define MPI_H
typedef struct communicator *MPI_Comm;
typedef struct datatype *MPI_Datatype;
typedef struct operation *MPI_Op;
typedef struct request *MPI_Request;
extern struct communicator World;
#define MPI_COMM_WORLD (&World)
#define MPI_ANY_SOURCE (-2)
#define MPI_ANY_TAG (-1)
#endif
