// The types of the method table: what a service gets and gives. Holds no behaviour.
import type { Answer, MethodName, Params } from '../../core/contract/methods.ts';
import type { Result } from '../../core/errors.ts';

export type Handler<M extends MethodName> = (params: Params<M>) => Promise<Result<Answer<M>>> | Result<Answer<M>>;

/** Every method of SPEC section 14 that exists, by name. */
export type Services = { readonly [M in MethodName]: Handler<M> };

/** The methods of one service. */
export type Service<Prefix extends string> = { readonly [M in Extract<MethodName, `${Prefix}.${string}`>]: Handler<M> };
