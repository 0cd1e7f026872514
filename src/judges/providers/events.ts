/** Server-sent events: pieces of a text → the data of each event, as soon as it is whole. */

const MAX_UNITS = 1_048_576

export class EventReader {
  #rest = ''
  #data: string[] = []

  /** The data of the events that end in this piece; comments, names and ids of events are left out. */
  read(piece: string): readonly string[] {
    const text = this.#rest + piece
    if (text.length > MAX_UNITS) throw new RangeError('a line of the stream is too long')
    // A carriage return at the very end may be the first half of a line's end.
    const held = text.endsWith('\r') ? 1 : 0
    const lines = text.slice(0, text.length - held).split(/\r\n|\n|\r/)
    this.#rest = (lines.pop() ?? '') + text.slice(text.length - held)
    const events: string[] = []
    for (const line of lines) {
      if (line.startsWith('data:')) this.#data.push(line.slice(line.startsWith('data: ') ? 6 : 5))
      else if (line === '' && this.#data.length > 0) {
        events.push(this.#data.join('\n'))
        this.#data = []
      }
    }
    return events
  }
}
