// Owns reading values of unknown shape out of JSON. Knows nothing of models or agents.

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function asObjects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function parseObject(json: string): JsonObject {
  try {
    const value: unknown = JSON.parse(json);
    return asObject(value);
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
