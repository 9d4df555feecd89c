// Owns what a person would see: the grid that a child Neovim draws, from its redraw events. It sends nothing.
// Rows and columns count from 0, as in Neovim's own UI events.

export interface Attributes {
  readonly foreground?: number;
  readonly background?: number;
  readonly special?: number;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly undercurl?: boolean;
  readonly strikethrough?: boolean;
  readonly reverse?: boolean;
}

interface Cell {
  /** Empty for the right half of a wide character. */
  readonly text: string;
  readonly highlight: number;
}

interface Highlight {
  readonly attributes: Attributes;
  /** Names of the groups that make it, the topmost last; a link shows under the name of the group it leads to. */
  readonly groups: readonly string[];
}

export interface Position {
  readonly row: number;
  readonly column: number;
}

const BLANK: Cell = { text: ' ', highlight: 0 };

type Arguments = readonly unknown[];

export class Screen {
  #rows: Cell[][] = [];
  #columns = 0;
  #cursor: Position = { row: 0, column: 0 };
  #mode = '';
  #title = '';
  #flushes = 0;
  readonly #highlights = new Map<number, Highlight>();

  /** Takes one `redraw` notification: a list of events, each with a name and one list of arguments a use. */
  apply(batch: readonly unknown[]): void {
    for (const event of batch) {
      if (!Array.isArray(event)) continue;
      const [name, ...uses] = event as readonly unknown[];
      for (const use of uses) this.#take(String(name), Array.isArray(use) ? use : []);
    }
  }

  /** All rows, blanks at their ends left off. */
  text(): string {
    return this.#rows.map((_, index) => this.row(index)).join('\n');
  }

  row(index: number): string {
    return textOf(this.#rows[index] ?? []).trimEnd();
  }

  get rows(): number {
    return this.#rows.length;
  }

  get cursor(): Position {
    return this.#cursor;
  }

  /** The mode as the cursor shows it: normal, insert, visual, cmdline_normal … */
  get mode(): string {
    return this.#mode;
  }

  get title(): string {
    return this.#title;
  }

  /** How many times the screen was drawn; grows by one with each finished picture. */
  get flushes(): number {
    return this.#flushes;
  }

  attrAt(row: number, column: number): Attributes {
    return this.#highlightAt(row, column).attributes;
  }

  groupsAt(row: number, column: number): readonly string[] {
    return this.#highlightAt(row, column).groups;
  }

  /** Where the text first stands on one row. */
  find(text: string): Position | undefined {
    for (const [row, cells] of this.#rows.entries()) {
      const index = textOf(cells).indexOf(text);
      if (index >= 0) return { row, column: columnOf(cells, index) };
    }
    return undefined;
  }

  /** The attributes of the first character of a text on the screen. */
  attrOf(text: string): Attributes {
    const { row, column } = this.#mustFind(text);
    return this.attrAt(row, column);
  }

  groupsOf(text: string): readonly string[] {
    const { row, column } = this.#mustFind(text);
    return this.groupsAt(row, column);
  }

  #mustFind(text: string): Position {
    const position = this.find(text);
    if (!position) throw new Error(`not on the screen: ${text}\n${this.text()}`);
    return position;
  }

  #highlightAt(row: number, column: number): Highlight {
    const cell = this.#rows[row]?.[column];
    if (!cell) throw new Error(`there is no cell at row ${row}, column ${column}`);
    return this.#highlights.get(cell.highlight) ?? { attributes: {}, groups: [] };
  }

  #take(event: string, args: Arguments): void {
    switch (event) {
      case 'grid_resize':
        return this.#resize(number(args[1]), number(args[2]));
      case 'grid_clear':
        return this.#resize(this.#columns, this.#rows.length, true);
      case 'grid_line':
        return this.#line(args);
      case 'grid_scroll':
        return this.#scroll(args);
      case 'grid_cursor_goto':
        this.#cursor = { row: number(args[1]), column: number(args[2]) };
        return;
      case 'hl_attr_define':
        this.#highlights.set(number(args[0]), { attributes: record(args[1]), groups: groupNames(args[3]) });
        return;
      case 'mode_change':
        this.#mode = String(args[0]);
        return;
      case 'set_title':
        this.#title = String(args[0]);
        return;
      case 'flush':
        this.#flushes += 1;
    }
  }

  #resize(columns: number, rows: number, empty = false): void {
    this.#columns = columns;
    const before = empty ? [] : this.#rows;
    this.#rows = Array.from({ length: rows }, (_, row) =>
      Array.from({ length: columns }, (_, column) => before[row]?.[column] ?? BLANK),
    );
  }

  /** `grid_line`: grid, row, first column, cells of text, highlight (that of the cell before if left out) and repeats. */
  #line(args: Arguments): void {
    const row = this.#rows[number(args[1])];
    if (!row || !Array.isArray(args[3])) return;
    let column = number(args[2]);
    let highlight = 0;
    for (const cell of args[3]) {
      if (!Array.isArray(cell)) continue;
      if (typeof cell[1] === 'number') highlight = cell[1];
      const end = column + (typeof cell[2] === 'number' ? cell[2] : 1);
      row.fill({ text: String(cell[0]), highlight }, column, end);
      column = end;
    }
  }

  /** `grid_scroll`: grid, top, bottom, left, right, rows that the region moves up (down if negative). */
  #scroll(args: Arguments): void {
    const [top, bottom, left, right, distance] = args.slice(1, 6).map(number);
    if (top === undefined || bottom === undefined || distance === undefined) return;
    const before = this.#rows.map((row) => [...row]);
    for (let row = top; row < bottom; row += 1) {
      const source = row + distance;
      if (source < top || source >= bottom) continue;
      const moved = before[source]?.slice(left, right) ?? [];
      this.#rows[row]?.splice(left ?? 0, moved.length, ...moved);
    }
  }
}

function textOf(cells: readonly Cell[]): string {
  return cells.map((cell) => cell.text).join('');
}

/** The cell in which the character at this index of the row's text stands. */
function columnOf(cells: readonly Cell[], index: number): number {
  let length = 0;
  return cells.findIndex((cell) => {
    length += cell.text.length;
    return length > index;
  });
}

function number(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function record(value: unknown): Attributes {
  return typeof value === 'object' && value !== null ? value : {};
}

function groupNames(info: unknown): string[] {
  if (!Array.isArray(info)) return [];
  return info.flatMap((part: unknown) => {
    const named = typeof part === 'object' && part !== null && 'hi_name' in part ? [String(part.hi_name)] : [];
    return named.filter((name) => name !== '');
  });
}
