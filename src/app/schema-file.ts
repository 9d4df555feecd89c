// Keeps the JSON Schema beside the default configuration, whose first line names it: editors complete and explain keys by it (SPEC section 3).
import { posix } from 'node:path';
import { configSchema } from '../core/config/schema.ts';
import { schemaFile } from '../core/config/locate.ts';
import type { Disk, Log } from '../core/ports.ts';
import type { Settings } from './settings.ts';

/** In the person's language, now and after each change of it; what says the same already is not written. */
export async function keepSchema(settings: Settings, disk: Disk, log: Log): Promise<void> {
  let kept = '';
  const keep = async (): Promise<void> => {
    const { language } = settings.config;
    if (kept === language || settings.source.current().source !== 'default') return;
    kept = language;
    const path = posix.join(posix.dirname(settings.path), schemaFile);
    const text = `${JSON.stringify(configSchema(language), undefined, 2)}\n`;
    const before = await disk.readText(path);
    const written = before.ok && before.value === text ? before : await disk.writeText(path, text);
    if (!written.ok) log.write('the schema of the configuration cannot be kept', written.error);
  };
  settings.onChange(() => void keep());
  await keep();
}
