/** Acts that people name by a noun: "make a reservation" asks for what "reserve" asks for, and "make a list of payments" does not. */
import { describe, expect, test } from 'vitest'
import { sentencesOf } from './task.ts'

const asked = (text: string) => new Set(sentencesOf(text).flatMap(({ acts }) => [...acts]))

describe('acts that a noun names', () => {
  for (const [text, act] of [
    ['Get the cheapest hotel in Rome, and make a reservation for it in May.', 'book'],
    ['Please make me a new table booking for Friday', 'book'],
    ['make the monthly payment to the landlord', 'pay'],
    ['He asked me to make another donation', 'pay'],
    ['Place an order for two lamps', 'pay'],
    ['Submit a comment below the article', 'post'],
  ] as const) {
    test(`${text}: ${act}`, () => expect(asked(text)).toContain(act))
  }

  for (const [text, act] of [
    ['Make a list of the payments of March', 'pay'],
    ['Make sure the payment arrived', 'pay'],
    ['Do not look at the reservation', 'book'],
    ['Make no reservation yet', 'book'],
    ['Tell me when the reservation begins', 'book'],
    ['Make a table with each transfer in it', 'book'],
  ] as const) {
    test(`${text}: no ${act}`, () => expect(asked(text)).not.toContain(act))
  }
})
