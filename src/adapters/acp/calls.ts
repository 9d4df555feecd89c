// Requests to one agent, each with its time limit. All of them settle when the connection ends, with the reason of its end.
import type { ClientConnection } from '@agentclientprotocol/sdk';
import { fail, ok, type Failure, type Result } from '../../core/errors.ts';
import type { Clock, Log } from '../../core/ports.ts';
import { answerFailure, authRequired, Ended, errorCode } from './failures.ts';
import { objectOf, type Json } from './json.ts';

export class Calls {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #signIn: (error: unknown) => Failure;
  #connection: ClientConnection | undefined;
  #ended: Failure | undefined;

  /** `signIn` words the answer of an agent that wants a sign-in first. */
  constructor(clock: Clock, log: Log, signIn: (error: unknown) => Failure) {
    this.#clock = clock;
    this.#log = log;
    this.#signIn = signIn;
  }

  /** Why nothing can be asked any more. */
  get ended(): Failure | undefined {
    return this.#ended;
  }

  connect(connection: ClientConnection): void {
    this.#connection = connection;
  }

  /** The first reason is the true one. */
  end(failure: Failure): void {
    this.#ended ??= failure;
    this.close();
  }

  /** From here on nothing more is asked; what the agent asked can still be answered until `close`. */
  ending(failure: Failure): void {
    this.#ended ??= failure;
  }

  close(): void {
    if (this.#ended) this.#connection?.close(new Ended(this.#ended));
  }

  /** Without `limitMs` it waits as long as the agent lives. */
  async ask(method: string, params: unknown, limitMs?: number): Promise<Result<Json>> {
    const connection = this.#connection;
    if (this.#ended || !connection) return { ok: false, error: this.#ended ?? notConnected() };
    const late = new AbortController();
    const forget = limitMs === undefined ? undefined : this.#clock.after(limitMs, () => late.abort());
    try {
      const how = { cancellationSignal: late.signal, stopWaitingOnCancel: true };
      return ok(objectOf(await connection.agent.request(method, params, how)));
    } catch (error) {
      if (late.signal.aborted) return fail('timeout', 'agent.noAnswer', { method, seconds: (limitMs ?? 0) / 1000 });
      return { ok: false, error: errorCode(error) === authRequired ? this.#signIn(error) : answerFailure(error) };
    } finally {
      forget?.();
    }
  }

  notify(method: string, params: unknown): void {
    if (this.#ended) return;
    const sent = this.#connection?.agent.notify(method, params);
    sent?.catch((cause: unknown) => this.#log.write(`${method} could not be sent`, cause));
  }
}

const notConnected = (): Failure => fail('unavailable', 'agent.stopAsked').error;
