// The drawn conversations: one transcript model for each open buffer, and the patches that keep the buffer equal to it.
import type { Message, Permission } from '../core/contract/shapes.ts';
import type { HostEvent } from '../core/contract/events.ts';
import type { History } from '../core/ports.ts';
import type { Settings } from './settings.ts';

export interface ViewsOptions {
  readonly settings: Settings;
  readonly tell: (event: HostEvent) => void;
  readonly recent: (
    conversation: string,
    count: number,
  ) => { readonly messages: readonly Message[]; readonly more: boolean };
  readonly history: History;
}
export class Views {
  constructor(options: ViewsOptions) {
    void options;
  }
  open(id: string, permissions: readonly Permission[]): void {
    void id;
    void permissions;
  }
  close(id: string): void {
    void id;
  }
  older(id: string): boolean {
    void id;
    return false;
  }
  draw(message: Message): void {
    void message;
  }
  undraw(conversation: string, messageId: string): void {
    void conversation;
    void messageId;
  }
  permissions(id: string, permissions: readonly Permission[]): void {
    void id;
    void permissions;
  }
  tool(id: string, tool: string): { title: string; rows: readonly string[] } | undefined {
    void id;
    void tool;
    return undefined;
  }
}
