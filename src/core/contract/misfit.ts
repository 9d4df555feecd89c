// Says what of a method's parameters does not fit their schema, as a failure people can read. Checks nothing.
import { fail, type Failure } from '../errors.ts';
import type { TextKey } from '../texts/en.ts';

/** What of an ajv error is used here. */
export interface Misfit {
  readonly keyword: string;
  /** Where in the parameters, as a JSON pointer. */
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const wantedTypes: Readonly<Record<string, TextKey>> = {
  string: 'error.param.text',
  integer: 'error.param.whole',
  boolean: 'error.param.flag',
  array: 'error.param.list',
  object: 'error.param.mapping',
};

export function misfit(method: string, error: Misfit | undefined): { readonly ok: false; readonly error: Failure } {
  const { keyword = '', instancePath = '', params = {} } = error ?? {};
  const name = parameterName(instancePath);
  switch (keyword) {
    case 'required':
      return fail('invalid', 'error.param.missing', { method, name: within(instancePath, params['missingProperty']) });
    case 'additionalProperties':
      return fail('invalid', 'error.param.unknown', {
        method,
        name: within(instancePath, params['additionalProperty']),
      });
    case 'enum':
      return fail('invalid', 'error.param.oneOf', { method, name, values: listed(params['allowedValues']) });
    default:
      return fail('invalid', wantedTypes[String(params['type'])] ?? 'error.param.unfit', { method, name });
  }
}

/** The whole of the parameters has no name of its own. */
const parameterName = (pointer: string): string => pointer.slice(1).replaceAll('/', '.') || 'params';

const within = (pointer: string, key: unknown): string => parameterName(`${pointer}/${String(key)}`);

const listed = (values: unknown): string => (Array.isArray(values) ? values.join(', ') : '');
