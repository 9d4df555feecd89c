// Owns getting the plain text out of a message's content, a string or a list of parts in every dialect but Gemini's.
import { asObjects, asText } from '../json.ts';

export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = asObjects(content).map((part) => asText(part['text']) || asText(part['content']));
  return parts.join('\n');
}
