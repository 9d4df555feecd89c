// Owns: the question the demo agent asks back (an elicitation with a form). Must not: be asked without the client's word.
import { CreateElicitationResponse, methods, RequestError } from '@agentclientprotocol/sdk';
import type { ClientCapabilities, CreateElicitationRequest } from '@agentclientprotocol/sdk';
import type { Turn } from './turn.ts';

export function canAsk(can: ClientCapabilities): boolean {
  return can.elicitation?.form != null;
}

export async function askBack(turn: Turn): Promise<void> {
  const { ask } = turn.texts;
  if (!canAsk(turn.can)) return turn.say(ask.unavailable);
  try {
    const asked = turn.client.request(methods.client.elicitation.create, question(turn));
    await turn.say(heard(turn, await turn.heed(asked)));
  } catch (error) {
    if (error instanceof RequestError) return turn.say(ask.failed(error.message));
    throw error;
  }
}

function question(turn: Turn): CreateElicitationRequest {
  const { ask } = turn.texts;
  return {
    mode: 'form',
    sessionId: turn.session.id,
    message: ask.message,
    requestedSchema: {
      type: 'object',
      properties: {
        answers: {
          type: 'string',
          title: ask.editor,
          oneOf: Object.entries(ask.answers).map(([value, title]) => ({ const: value, title })),
        },
        name: { type: 'string', title: ask.name, maxLength: 40 },
        again: { type: 'boolean', title: ask.again, default: false },
      },
      required: ['answers'],
    },
  };
}

function heard(turn: Turn, response: CreateElicitationResponse): string {
  const { ask } = turn.texts;
  if (response.action === 'decline') return ask.declined;
  if (!CreateElicitationResponse.isAccept(response)) return ask.cancelled;
  const given = Object.entries(response.content ?? {}).map(([key, value]) => `- ${key}: ${JSON.stringify(value)}\n`);
  return ask.accepted(given.join('') || ask.nothing);
}
