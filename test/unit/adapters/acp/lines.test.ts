// Bytes to lines, lines to messages, and what makes a line harmless.
import { describe, expect, test } from 'vitest';
import { harmless } from '../../../../src/core/harmless.ts';
import { LineReader } from '../../../../src/core/line-reader.ts';
import { readLine } from '../../../../src/adapters/acp/messages.ts';

function lines(bytes: Uint8Array, size: number, limit = 1000): string[] {
  const read: string[] = [];
  const reader = new LineReader(
    limit,
    (line) => read.push(line),
    (head) => read.push(`long:${head}`),
  );
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
  reader.end();
  return read;
}

describe('LineReader', () => {
  const text = '\ufeffnaïve\n\n日本 😀\r\nend';

  test.each([1, 2, 3, 5, 1000])('in pieces of %i bytes', (size) => {
    expect(lines(Buffer.from(text), size)).toEqual(['naïve', '', '日本 😀\r', 'end']);
  });

  test('bytes that are no UTF-8 cost no line', () => {
    expect(lines(Buffer.from([0x61, 0xff, 0x0a, 0x62, 0x0a, 0xe6]), 2)).toEqual(['a\ufffd', 'b', '\ufffd']);
  });

  test.each([1, 4, 1000])('a line over the limit is cut, in pieces of %i bytes, and the next is whole', (size) => {
    expect(lines(Buffer.from('12345678\n1234\n123456'), size, 5)).toEqual(['long:12345', '1234', 'long:12345']);
  });
});

describe('readLine', () => {
  const message = (line: string) => {
    const incoming = readLine(line);
    return incoming.type === 'message' ? incoming.message : incoming.type;
  };

  test.each([
    ['', 'noise'],
    ['  {"half":', 'noise'],
    ['null', 'noise'],
    ['"text"', 'noise'],
    ['[{"jsonrpc":"2.0","method":"x"}]', 'noise'],
    ['{"level":"info","msg":"hi"}', 'noise'],
    ['{"method":"GET","path":"/"}', 'noise'],
    ['{"jsonrpc":"1.0","method":"x","params":{}}', 'noise'],
    ['{"jsonrpc":"2.0","method":5}', 'noise'],
    ['{"jsonrpc":"2.0","id":{},"method":"x"}', 'noise'],
    ['{"jsonrpc":"2.0","id":true,"result":1}', 'noise'],
    ['{"jsonrpc":"2.0","method":"vendor/thing"}', 'ignored'],
  ])('%s is %s', (line, type) => {
    expect(message(line)).toBe(type);
  });

  test('an update needs no more than its method, and keeps all it holds', () => {
    const params = { sessionId: 's', update: { sessionUpdate: 'new kind', extra: 1 } };
    expect(readLine(JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params }))).toEqual({
      type: 'update',
      params,
    });
    expect(readLine(JSON.stringify({ method: 'session/update', params }))).toEqual({ type: 'update', params });
  });

  test.each([
    ['{"jsonrpc":"2.0","id":1}', { id: 1, result: null }],
    ['{"id":1,"result":{"a":1}}', { id: 1, result: { a: 1 } }],
    ['{"id":"x","result":{},"error":null}', { id: 'x', result: {} }],
    ['{"id":1,"error":"no"}', { id: 1, error: { code: -32603, message: 'no' } }],
    ['{"id":1,"error":{"code":"E","message":"m"}}', { id: 1, error: { code: -32603, message: 'm' } }],
    ['{"id":1,"error":{"code":5}}', { id: 1, error: { code: 5, message: '{"code":5}' } }],
    ['{"id":1,"method":"x","params":{}}', { id: 1, method: 'x', params: {} }],
  ])('%s is mended', (line, expected) => {
    expect(message(line)).toEqual({ jsonrpc: '2.0', ...expected });
  });
});

test.each([
  ['plain\ttext é', 'plain\ttext é'],
  ['\u001b[1;31mred\u001b[0m', 'red'],
  ['\u001b]0;title\u0007a\u001b]8;;x\u001b\\link\u001b]8;;\u001b\\', 'alink'],
  ['\u001bPq#0\u001b\\x\u009b31my', 'xy'],
  ['open \u001b]52;c;aGk= never closed', 'open \ufffd]52;c;aGk= never closed'],
  ['\u0000\u0007\u007f\u0085', '\ufffd\ufffd\ufffd\ufffd'],
  ['10%\r20%\r', '20%'],
  ['two\r\nlines', 'two\nlines'],
])('%j is shown as %j', (line, shown) => {
  expect(harmless(line)).toBe(shown);
});
