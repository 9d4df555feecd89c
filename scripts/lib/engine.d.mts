// What engine.mjs gives, for the tests, which are TypeScript.
export const engineHome: string;
export function engineIsReady(): boolean;
export function noEngineHere(): string | undefined;
export function installEngine(): Promise<void>;
