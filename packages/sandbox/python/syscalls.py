"""Numbers of the system calls that the filter knows, by machine, as the kernel's headers give them."""

# Harmless as they are, or judged by Landlock. What is on no list is refused.
ALLOWED = {
    'x86_64': dict(
        # files that are open
        read=0, write=1, readv=19, writev=20, pread64=17, pwrite64=18, preadv=295, pwritev=296, preadv2=327,
        pwritev2=328, lseek=8, close=3, close_range=436, fstat=5, ftruncate=77, fsync=74,
        fdatasync=75, fadvise64=221, dup=32, dup2=33, dup3=292, copy_file_range=326, sendfile=40,
        fstatfs=138, getdents64=217,
        # paths, which Landlock judges
        stat=4, lstat=6, newfstatat=262, statx=332, access=21, faccessat=269, faccessat2=439, readlink=89,
        readlinkat=267, getcwd=79, chdir=80, fchdir=81, mkdir=83, mkdirat=258, rmdir=84, unlink=87,
        unlinkat=263, rename=82, renameat=264, renameat2=316, statfs=137, umask=95,
        # memory
        mmap=9, mprotect=10, munmap=11, mremap=25, madvise=28, brk=12, msync=26, mincore=27,
        # waiting
        poll=7, ppoll=271, select=23, pselect6=270, pipe=22, pipe2=293, futex=202, futex_waitv=449,
        nanosleep=35, clock_nanosleep=230, pause=34, sched_yield=24, restart_syscall=219,
        # time
        clock_gettime=228, clock_getres=229, gettimeofday=96, time=201, times=100, getitimer=36,
        setitimer=38, alarm=37,
        # identity and location
        getpid=39, gettid=186, getppid=110, getuid=102, geteuid=107, getgid=104, getegid=108, getgroups=115,
        getpgrp=111, getresuid=118, getresgid=120, uname=63, sysinfo=99, getrlimit=97, getrusage=98,
        getcpu=309, sched_getaffinity=204, sched_getparam=143, sched_getscheduler=145,
        sched_get_priority_max=146, sched_get_priority_min=147, getrandom=318,
        # signals to itself
        rt_sigaction=13, rt_sigprocmask=14, rt_sigreturn=15, rt_sigpending=127, rt_sigsuspend=130,
        rt_sigtimedwait=128, sigaltstack=131,
        # threads
        set_robust_list=273, set_tid_address=218, rseq=334, membarrier=324, arch_prctl=158, exit=60,
        exit_group=231,
    ),
    'aarch64': dict(
        # files that are open
        read=63, write=64, readv=65, writev=66, pread64=67, pwrite64=68, preadv=69, pwritev=70, preadv2=286,
        pwritev2=287, lseek=62, close=57, close_range=436, fstat=80, ftruncate=46, fsync=82,
        fdatasync=83, fadvise64=223, dup=23, dup3=24, copy_file_range=285, sendfile=71, fstatfs=44,
        getdents64=61,
        # paths, which Landlock judges
        newfstatat=79, statx=291, faccessat=48, faccessat2=439, readlinkat=78, getcwd=17, chdir=49,
        fchdir=50, mkdirat=34, unlinkat=35, renameat=38, renameat2=276, statfs=43, umask=166,
        # memory
        mmap=222, mprotect=226, munmap=215, mremap=216, madvise=233, brk=214, msync=227, mincore=232,
        # waiting
        ppoll=73, pselect6=72, pipe2=59, futex=98, futex_waitv=449, nanosleep=101, clock_nanosleep=115,
        sched_yield=124, restart_syscall=128,
        # time
        clock_gettime=113, clock_getres=114, gettimeofday=169, times=153, getitimer=102, setitimer=103,
        # identity and location
        getpid=172, gettid=178, getppid=173, getuid=174, geteuid=175, getgid=176, getegid=177,
        getgroups=158, getresuid=148, getresgid=150, uname=160, sysinfo=179, getrlimit=163, getrusage=165,
        getcpu=168, sched_getaffinity=123, sched_getparam=121, sched_getscheduler=120,
        sched_get_priority_max=125, sched_get_priority_min=126, getrandom=278,
        # signals to itself
        rt_sigaction=134, rt_sigprocmask=135, rt_sigreturn=139, rt_sigpending=136, rt_sigsuspend=133,
        rt_sigtimedwait=137, sigaltstack=132,
        # threads
        set_robust_list=99, set_tid_address=96, rseq=293, membarrier=283, exit=93, exit_group=94,
    ),
}

# Allowed with some arguments only.
JUDGED = {
    'x86_64': dict(
        open=2, openat=257, clone=56, tgkill=234, prctl=157, prlimit64=302, ioctl=16, fcntl=72,
    ),
    'aarch64': dict(
        openat=56, clone=220, tgkill=131, prctl=167, prlimit64=261, ioctl=29, fcntl=25,
    ),
}

# Answered with "no such call", so that the C library takes the older one, which can be judged.
ABSENT = {
    'x86_64': dict(clone3=435, openat2=437),
    'aarch64': dict(clone3=435, openat2=437),
}

# Extended attributes: answered as on a file system that has none; shutil.copy2 expects no other refusal.
# fallocate reserves blocks beyond a file's size, which no limit sees; the C library writes zeros instead.
UNSUPPORTED = {
    'x86_64': dict(fallocate=285, listxattr=194, llistxattr=195, flistxattr=196, getxattr=191, lgetxattr=192, fgetxattr=193),
    'aarch64': dict(fallocate=47, listxattr=11, llistxattr=12, flistxattr=13, getxattr=8, lgetxattr=9, fgetxattr=10),
}

# The architecture's name in the data that a filter sees.
AUDIT = {'x86_64': 0xC000003E, 'aarch64': 0xC00000B7}
