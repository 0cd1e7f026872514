/**
 * Which calls of the kernel a program in the sandbox may make, as a filter (seccomp) that bubblewrap installs before the program starts. Namespaces
 * hide most of the machine; what they do not hide is refused here: keys of the session, sockets of a hypervisor, rings that run calls past a filter.
 * Pure.
 */

/** A processor type, as the kernel names its calls. */
interface Architecture {
  /** `AUDIT_ARCH_…`: a program of another type would count calls by other numbers. */
  readonly audit: number
  /** Numbers from here on are those of another calling convention. */
  readonly foreign: number | null
  /** Calls that nothing needs which is tried out. */
  readonly refused: readonly number[]
  readonly socket: number
  readonly ioctl: number
  /** Calls whose first argument holds the namespaces to make. */
  readonly namespaces: readonly number[]
}

/**
 * Refused as a kernel without them would, so that programs take another way: rings of calls, and `clone3`, whose flags a filter cannot read. Their
 * numbers are the same on every type of processor.
 */
const MISSING = [425, 426, 427, 435] as const

/**
 * `add_key`, `request_key`, `keyctl`: a session's keys are inherited, and no namespace hides them. `bpf`, `userfaultfd`, `perf_event_open`,
 * `open_by_handle_at`, `kexec_load`, `kexec_file_load`, `init_module`, `finit_module`, `delete_module`: the kernel itself, or files past their paths.
 */
const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  x64: {
    audit: 0xc000_003e,
    foreign: 0x4000_0000,
    refused: [248, 249, 250, 321, 323, 298, 304, 246, 320, 175, 313, 176],
    socket: 41,
    ioctl: 16,
    namespaces: [56, 272],
  },
  arm64: {
    audit: 0xc000_00b7,
    foreign: null,
    refused: [217, 218, 219, 280, 282, 241, 265, 104, 294, 105, 273, 106],
    socket: 198,
    ioctl: 29,
    namespaces: [220, 97],
  },
}

/** Sockets that a namespace of the network holds: IPv4, IPv6, and questions about its own addresses. `AF_VSOCK` is in no namespace. */
const FAMILIES = [2, 10, 16] as const
const UNIX = 1
/** `TIOCSTI` and `TIOCLINUX`: input for the caller's terminal. */
const TERMINAL = [0x5412, 0x541c] as const
const NEW_USER = 0x1000_0000
/** What is started with this is not watched by who watches what started it. */
const UNTRACED = 0x0080_0000

const [PERMISSION, NO_CALL, NO_FAMILY] = [1, 38, 97] as const
const ALLOW = 0x7fff_0000
const ERROR = 0x0005_0000

/** Instructions: load a word, compare, return. */
const [LOAD, EQUAL, AT_LEAST, HAS, RETURN] = [0x20, 0x15, 0x35, 0x45, 0x06] as const
type Instruction = readonly [code: number, then: number, otherwise: number, value: number]

const NUMBER: Instruction = [LOAD, 0, 0, 0]
const AUDIT: Instruction = [LOAD, 0, 0, 4]
/** The lower half of an argument: the kernel takes no more of those that are looked at. */
const argument = (index: number): Instruction => [LOAD, 0, 0, 16 + 8 * index]
const allowed: Instruction = [RETURN, 0, 0, ALLOW]
const refusedWith = (error: number): Instruction => [RETURN, 0, 0, ERROR | error]
const where = (code: number, value: number, answer: Instruction): readonly Instruction[] => [[code, 0, 1, value], answer]
/** `body` ends in an answer on every way. */
const ofCall = (call: number, body: readonly Instruction[]): readonly Instruction[] => [[EQUAL, 0, body.length, call], ...body]

/** What of the sockets between programs of one machine a program may make. */
export interface Sockets {
  /** True where every directory that it sees is a copy, so that a name of a socket in it leads nowhere. */
  readonly unix: boolean
}

/** The filter for this type of processor (`process.arch`); null where its calls are not known here. */
export function filterFor(type: string, { unix }: Sockets): Buffer | null {
  const architecture = ARCHITECTURES[type]
  if (architecture === undefined) return null
  const { audit, foreign, refused, socket, ioctl, namespaces } = architecture
  const families = unix ? [UNIX, ...FAMILIES] : FAMILIES
  return encoded([
    AUDIT,
    [EQUAL, 1, 0, audit],
    refusedWith(NO_CALL),
    NUMBER,
    ...(foreign === null ? [] : where(AT_LEAST, foreign, refusedWith(NO_CALL))),
    ...refused.flatMap((call) => where(EQUAL, call, refusedWith(PERMISSION))),
    ...MISSING.flatMap((call) => where(EQUAL, call, refusedWith(NO_CALL))),
    ...ofCall(socket, [argument(0), ...families.flatMap((family) => where(EQUAL, family, allowed)), refusedWith(NO_FAMILY)]),
    ...ofCall(ioctl, [argument(1), ...TERMINAL.flatMap((request) => where(EQUAL, request, refusedWith(PERMISSION))), allowed]),
    ...namespaces.flatMap((call) => ofCall(call, [argument(0), ...where(HAS, NEW_USER | UNTRACED, refusedWith(PERMISSION)), allowed])),
    allowed,
  ])
}

/** `struct sock_filter`; both types of processor are little-endian. */
function encoded(instructions: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(instructions.length * 8)
  for (const [index, [code, then, otherwise, value]] of instructions.entries()) {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(then, index * 8 + 2)
    bytes.writeUInt8(otherwise, index * 8 + 3)
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4)
  }
  return bytes
}
