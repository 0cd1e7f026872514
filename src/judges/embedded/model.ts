/**
 * The statistical judge: a logistic model over hashed features, whose weights only ever raise the risk. So no text and no
 * effect that is added to a call can make it look safer (T50); what it does not know it is not moved by, and less sure of.
 */
import { type Calibration, calibrated } from '../../policy/judge-evidence.ts'
import type { Features } from './features.ts'

/** As the weights are shipped. */
export interface ModelData {
  /** Of this very training. */
  readonly name: string
  readonly bias: number
  /** What one step of a weight is worth, of named features and of text. */
  readonly scales: readonly [named: number, text: number]
  /** Base64 of 32-bit hashes, little-endian; named features first. */
  readonly hashes: string
  /** Base64 of one byte per hash. */
  readonly weights: string
  /** How many of them are named features. */
  readonly named: number
  /** Risk → probability; its `score` is 1 less the risk before it, on the scale of the logit: see `assess`. */
  readonly calibration: Calibration
}

export interface Model {
  readonly name: string
  readonly bias: number
  readonly calibration: Calibration
  /** Open addressing: a hash and its weight at the same place. Zero is no hash; a weight may be zero and is still known. */
  readonly keys: Uint32Array
  readonly values: Float32Array
}

export interface Assessment {
  /** Probability that the call is benign. */
  readonly score: number
  /** The share of what the call does that was known from training, from 0 to 1. */
  readonly confidence: number
  /** Log-odds before calibration. */
  readonly risk: number
  /** Named features that weigh most, heaviest first; at most three. */
  readonly reasons: readonly string[]
}

/** @throws {RangeError} where the data does not fit together. */
export function loadModel(data: ModelData): Model {
  const [hashes, weights] = [bytesOf(data.hashes), bytesOf(data.weights)]
  if (hashes.length !== weights.length * 4 || data.named > weights.length) throw new RangeError('hashes and weights are not as many')
  const view = new DataView(hashes.buffer)
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, weights.length * 2)))
  const model = { keys: new Uint32Array(size), values: new Float32Array(size) }
  for (let index = 0; index < weights.length; index++) {
    const hash = view.getUint32(index * 4, true) || 1
    const place = placeOf(model.keys, hash)
    model.keys[place] = hash
    model.values[place] = (weights[index] ?? 0) * data.scales[index < data.named ? 0 : 1]
  }
  return { name: data.name, bias: data.bias, calibration: data.calibration, ...model }
}

/** Where a hash stands, or where it would. */
function placeOf(keys: Uint32Array, hash: number): number {
  const mask = keys.length - 1
  let place = hash & mask
  while (keys[place] !== 0 && keys[place] !== hash) place = (place + 1) & mask
  return place
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index)
  return bytes
}

/** What the model makes of a call. Never less risk for more features. */
export function assess({ keys, values, bias, calibration }: Model, { named, text }: Features): Assessment {
  let risk = bias
  let known = 0
  const reasons: (readonly [number, string])[] = []
  for (const [hash, name] of named) {
    const place = placeOf(keys, hash || 1)
    if (keys[place] === 0) continue
    known++
    const weight = values[place] ?? 0
    risk += weight
    if (weight > 0) reasons.push([weight, name])
  }
  for (const hash of text) {
    const place = placeOf(keys, hash || 1)
    if (keys[place] !== 0) risk += values[place] ?? 0
  }
  const heaviest = reasons.toSorted((a, b) => b[0] - a[0]).slice(0, 3)
  return {
    score: calibrated(calibration, -risk, 0),
    confidence: named.size === 0 ? 0 : known / named.size,
    risk,
    reasons: heaviest.map(([, name]) => name),
  }
}
