// A prompt's blocks and its end, between our shapes and the protocol's. Builds no prompt.
import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { PromptBlock, StopReason } from '../../core/ports.ts';
import { only } from './json.ts';

export function promptBlock(block: PromptBlock): ContentBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
      return { type: 'image', data: block.data, mimeType: block.mimeType, ...only('uri', block.uri) };
    case 'resource':
      return { type: 'resource', resource: { uri: block.uri, text: block.text, ...only('mimeType', block.mimeType) } };
    case 'link':
      return {
        type: 'resource_link',
        uri: block.uri,
        name: block.name,
        ...only('mimeType', block.mimeType),
        size: block.size,
      };
  }
}

const stopReasons: ReadonlySet<unknown> = new Set<StopReason>([
  'end_turn',
  'cancelled',
  'max_tokens',
  'max_turn_requests',
  'refusal',
]);

const isStopReason = (value: unknown): value is StopReason => stopReasons.has(value);

/** A reason nobody knows still ends the turn. */
export const stopReason = (value: unknown): StopReason => (isStopReason(value) ? value : 'end_turn');
