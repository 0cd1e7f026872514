/** Amounts with a currency, added and compared exactly: decimals as scaled integers, never as binary fractions. */
import { isJsonObject, type Json, own } from '../../core/json.ts'

/** An amount in billionths of the currency's unit. */
export class Money {
  readonly units: bigint
  readonly currency: string

  constructor(units: bigint, currency: string) {
    this.units = units
    this.currency = currency
  }

  toString(): string {
    const sign = this.units < 0n ? '-' : ''
    const digits = (this.units < 0n ? -this.units : this.units).toString().padStart(10, '0')
    const fraction = withoutZeros(digits.slice(-9))
    return `${sign}${digits.slice(0, -9)}${fraction === '' ? '' : `.${fraction}`} ${this.currency}`
  }
}

const DECIMAL = /^(-?)(\d{1,18})(?:\.(\d{1,18}))?$/
const CURRENCY = /^[A-Za-z]{3}$/

/** The decimal as billionths; undefined where it is none or finer than a billionth. */
function unitsOf(value: Json | undefined): bigint | undefined {
  const text = typeof value === 'number' ? plain(value) : typeof value === 'string' ? value.trim() : ''
  const match = DECIMAL.exec(text)
  if (match === null) return undefined
  const fraction = match[3] ?? ''
  if (/[1-9]/.test(fraction.slice(9))) return undefined
  const units = BigInt(match[2] ?? '0') * 1_000_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0'))
  return match[1] === '-' ? -units : units
}

/** The shortest decimal that reads back as the number, without an exponent. */
function plain(value: number): string {
  const text = String(value)
  return text.includes('e') ? value.toFixed(12) : text
}

function withoutZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}

/** An amount and a currency code of three letters, any case. */
export function money(amount: Json | undefined, currency: Json | undefined): Money | undefined {
  const units = unitsOf(amount)
  if (units === undefined || typeof currency !== 'string' || !CURRENCY.test(currency)) return undefined
  return new Money(units, currency.toUpperCase())
}

/** `12.50 EUR`, `EUR 12.50`, or an object with an amount (`amount`, `value`) and a currency (`currency`, `currency_code`). */
export function readMoney(value: Json | undefined): Money | undefined {
  if (isJsonObject(value)) return money(own(value, 'amount') ?? own(value, 'value'), own(value, 'currency') ?? own(value, 'currency_code'))
  if (typeof value !== 'string' || value.length > 64) return undefined
  const [first = '', second = '', ...rest] = value.trim().split(/\s+/)
  if (rest.length > 0) return undefined
  return money(first, second) ?? money(second, first)
}

/** The sum, or undefined where two currencies meet or there is nothing to add. */
export function addMoney(values: readonly Money[]): Money | undefined {
  const [first] = values
  if (first === undefined || values.some((value) => value.currency !== first.currency)) return undefined
  return new Money(
    values.reduce((sum, value) => sum + value.units, 0n),
    first.currency,
  )
}
