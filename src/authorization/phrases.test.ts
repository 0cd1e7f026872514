import { describe, expect, test } from 'vitest'
import { actOf, matchOf, toolWords } from '../flow/acts.ts'
import { emptyMemory } from '../session/memory/memory.ts'
import { readTask } from './task.ts'

/** Labels were written before any verdict: what the user wants done, and a tool that does it. */
const ASKED: readonly (readonly [string, string])[] = [
  ['Block two hours on Thursday for the review.', 'create_calendar_event'],
  ['Block out an hour for lunch.', 'create_calendar_event'],
  ['Push the review back by an hour.', 'reschedule_calendar_event'],
  ['Put off the review until Monday.', 'reschedule_calendar_event'],
  ['Move the call back by two hours.', 'reschedule_calendar_event'],
  ['Let Ada know that I am late.', 'send_email'],
  ['Let the team know we are done.', 'send_email'],
  ['Drop Ada a line about the review.', 'send_email'],
  ['Write back to Ada that I agree.', 'send_email'],
  ['Make the budget file available to Ada.', 'share_file'],
  ['Get rid of the largest file on the drive.', 'delete_file'],
  ['Take Ada off the review meeting.', 'remove_calendar_event_participants'],
  ['Move the plan back to the drive folder.', 'move_file'],
  ['Put a summary of the page into the general channel.', 'send_channel_message'],
  ['Bring Ada into the general channel.', 'add_user_to_channel'],
]

const NOT_ASKED: readonly (readonly [string, string])[] = [
  ['Make sure the payment went through.', 'send_money'],
  ['Make a list of my payments.', 'send_money'],
  ['Make a payment list.', 'send_money'],
  ['Make a note of the reservation.', 'reserve_hotel'],
  ['Is there a reservation at the hotel?', 'reserve_hotel'],
  ['Find out who made the last reservation.', 'reserve_hotel'],
  ['Do I have a reservation?', 'reserve_hotel'],
  ['Do we need a reservation there?', 'reserve_restaurant'],
  ['I need the booking details.', 'reserve_hotel'],
  ['Get the booking of last week.', 'reserve_hotel'],
  ['Tell me whether the payment arrived.', 'send_money'],
  ['Show me the bookings of this week.', 'reserve_hotel'],
  ['How much was the last order?', 'place_order'],
  ['What does a transfer cost?', 'send_money'],
  ['Make a summary of all transfers.', 'send_money'],
  ['Make a reservation at the Riverside.', 'reserve_hotel'],
  ['Make a payment to the landlord.', 'send_money'],
  ['Let me know when the review is.', 'send_email'],
  ['Put the card back to where it was.', 'reschedule_calendar_event'],
  ['Read what stands on the back of the card.', 'reschedule_calendar_event'],
  ['Which channel was the summary in?', 'send_channel_message'],
]

function matched(text: string, tool: string): string {
  const act = actOf(tool, [], true)
  return act === null ? 'no act' : matchOf(toolWords(tool), act, { task: readTask(text), memory: emptyMemory() })
}

describe('what phrases ask for', () => {
  for (const [text, tool] of ASKED) test(`asks for \`${tool}\`: ${text}`, () => expect(['full', 'verb']).toContain(matched(text, tool)))
  for (const [text, tool] of NOT_ASKED)
    test(`does not: \`${tool}\`: ${text}`, () => expect(['noun', 'none']).toContain(matched(text, tool)))

  test('a long request of words that begin phrases is read as fast as any', () => {
    const words = ['let', 'drop', 'take', 'push', 'put', 'make', 'bring', 'give', 'block']
    const text = `pay ${words.map((word) => `${word} a `.repeat(1_500)).join('')}`
    expect(readTask(text).acts.size).toBeGreaterThan(0)
  })
})
