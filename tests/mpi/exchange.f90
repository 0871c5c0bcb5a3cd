! Exchanges of 3 integers for each rank by mpif.h and `use mpi`, the second in place, and by `use mpi_f08`; of different
! numbers of integers by `use mpi` and `use mpi_f08`. Rank 0 prints how many blocks were wrong.
module checks
  implicit none
contains
  subroutine fill(data, rank, n)
    integer, intent(out) :: data(*)
    integer, intent(in) :: rank, n
    integer :: i
    do i = 1, 3 * n
      data(i) = 1000 * rank + i
    end do
  end subroutine

  integer function n_wrong(data, rank, n)
    integer, intent(in) :: data(*), rank, n
    integer :: i
    n_wrong = 0
    do i = 1, 3 * n
      if (data(i) /= 1000 * ((i - 1) / 3) + 3 * rank + mod(i - 1, 3) + 1) n_wrong = n_wrong + 1
    end do
  end function
end module

subroutine exchange_old(rank, n, wrong)
  use checks
  implicit none
  include 'mpif.h'
  integer, intent(in) :: rank, n
  integer, intent(inout) :: wrong
  integer :: out(3 * n), in(3 * n), code
  call fill(out, rank, n)
  call MPI_Alltoall(out, 3, MPI_INTEGER, in, 3, MPI_INTEGER, MPI_COMM_WORLD, code)
  wrong = wrong + n_wrong(in, rank, n) + code
end subroutine

subroutine exchange_in_place(rank, n, wrong)
  use checks
  use mpi
  implicit none
  integer, intent(in) :: rank, n
  integer, intent(inout) :: wrong
  integer :: in(3 * n), code
  call fill(in, rank, n)
  call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 3, MPI_INTEGER, MPI_COMM_WORLD, code)
  wrong = wrong + n_wrong(in, rank, n) + code
end subroutine

subroutine exchange_2008(rank, n, wrong)
  use checks
  use mpi_f08
  implicit none
  integer, intent(in) :: rank, n
  integer, intent(inout) :: wrong
  integer :: out(3 * n), in(3 * n)
  call fill(out, rank, n)
  call MPI_Alltoall(out, 3, MPI_INTEGER, in, 3, MPI_INTEGER, MPI_COMM_WORLD)
  wrong = wrong + n_wrong(in, rank, n)
end subroutine

! Fills in blocks of from + to + 1 integers, and where they lie: those that arrive in the opposite order.
subroutine lay_out(rank, n, out, counts, out_places, in_places)
  implicit none
  integer, intent(in) :: rank, n
  integer, intent(out) :: out(3 * n * n), counts(n), out_places(n), in_places(n)
  integer :: i, place
  place = 0
  do i = 1, n
    counts(i) = rank + i
    out_places(i) = place
    out(place + 1:place + counts(i)) = 100 * rank + i - 1
    place = place + counts(i)
  end do
  do i = 1, n
    place = place - counts(i)
    in_places(i) = place
  end do
end subroutine

integer function n_wrong_unequal(in, rank, n, counts, places)
  implicit none
  integer, intent(in) :: rank, n, in(3 * n * n), counts(n), places(n)
  integer :: i
  n_wrong_unequal = 0
  do i = 1, n
    if (any(in(places(i) + 1:places(i) + counts(i)) /= 100 * (i - 1) + rank)) n_wrong_unequal = n_wrong_unequal + 1
  end do
end function

subroutine exchange_unequal(rank, n, wrong)
  use mpi
  implicit none
  integer, intent(in) :: rank, n
  integer, intent(inout) :: wrong
  integer :: out(3 * n * n), in(3 * n * n), counts(n), out_places(n), in_places(n), code
  integer, external :: n_wrong_unequal
  call lay_out(rank, n, out, counts, out_places, in_places)
  in = -1
  call MPI_Alltoallv(out, counts, out_places, MPI_INTEGER, in, counts, in_places, MPI_INTEGER, MPI_COMM_WORLD, code)
  wrong = wrong + n_wrong_unequal(in, rank, n, counts, in_places) + code
end subroutine

subroutine exchange_unequal_2008(rank, n, wrong)
  use mpi_f08
  implicit none
  integer, intent(in) :: rank, n
  integer, intent(inout) :: wrong
  integer :: out(3 * n * n), in(3 * n * n), counts(n), out_places(n), in_places(n)
  integer, external :: n_wrong_unequal
  call lay_out(rank, n, out, counts, out_places, in_places)
  in = -1
  call MPI_Alltoallv(out, counts, out_places, MPI_INTEGER, in, counts, in_places, MPI_INTEGER, MPI_COMM_WORLD)
  wrong = wrong + n_wrong_unequal(in, rank, n, counts, in_places)
end subroutine

program exchange
  use mpi
  implicit none
  integer :: rank, n, code, wrong
  wrong = 0
  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, n, code)
  call exchange_old(rank, n, wrong)
  call exchange_in_place(rank, n, wrong)
  call exchange_2008(rank, n, wrong)
  call exchange_unequal(rank, n, wrong)
  call exchange_unequal_2008(rank, n, wrong)
  call MPI_Allreduce(MPI_IN_PLACE, wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
  if (rank == 0) print '(I0, A)', wrong, ' wrong'
  call MPI_Finalize(code)
end program
