/** An agent as one writes it: it streams an answer, runs the tools that the answer asks for, and goes on. It knows nothing of Countersign. */

export async function agent(baseUrl, { tools, say }) {
  const messages = [{ role: 'user', content: 'My order A-100 came broken.' }]
  for (;;) {
    const { text, calls } = await ask(baseUrl, messages)
    if (text !== '') say(`model: ${text.replaceAll(/apr_\w+/g, 'apr_…')}`)
    if (calls.length === 0) return
    messages.push({ role: 'assistant', content: text, tool_calls: calls })
    for (const { id, function: call } of calls) {
      const result = tools[call.name](JSON.parse(call.arguments))
      say(`tool:  ${call.name}(${call.arguments}) → ${result}`)
      messages.push({ role: 'tool', tool_call_id: id, content: result })
    }
  }
}

async function ask(baseUrl, messages) {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-of-the-agent' },
    body: JSON.stringify({ model: 'scripted', stream: true, messages }),
  })
  let [rest, text] = ['', '']
  const calls = []
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + piece).split('\n\n')
    rest = events.pop()
    for (const event of events) {
      const data = /^data: (\{.*)$/m.exec(event)?.[1]
      const delta = data === undefined ? {} : (JSON.parse(data).choices[0]?.delta ?? {})
      text += delta.content ?? ''
      for (const { index, function: part, ...call } of delta.tool_calls ?? []) {
        calls[index] ??= { ...call, function: { name: '', arguments: '' } }
        calls[index].function.name += part.name ?? ''
        calls[index].function.arguments += part.arguments ?? ''
      }
    }
  }
  return { text, calls }
}
