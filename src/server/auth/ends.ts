import type { Store } from '../../store/store.ts'

/**
 * The time by which tokens and log-ins end, as grants do: what the log has seen to be over stays over, wherever the machine's clock is
 * set. Milliseconds since the epoch; never before `wall`.
 */
export function timeOfEnds({ now }: Pick<Store, 'now'>, wall: () => number): () => number {
  return () => {
    try {
      return Math.max(wall(), now())
    } catch {
      // A store that cannot be read lets nothing be decided or answered either.
      return wall()
    }
  }
}
