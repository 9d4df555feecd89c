// Owns questions that wait: stands in for `vim.ui.input` and `vim.ui.select` as plugins do, which show a window and answer later.
import type { Nvim } from './nvim.ts';

export interface Question {
  readonly prompt: string;
  readonly default?: string;
  readonly completion?: string;
  /** What can be chosen, as it is worded. */
  readonly choices?: readonly string[];
}

export class Questions {
  readonly #nvim: Nvim;

  static async in(nvim: Nvim): Promise<Questions> {
    await nvim.lua(REPLACE);
    return new Questions(nvim);
  }

  private constructor(nvim: Nvim) {
    this.#nvim = nvim;
  }

  /** The question that waits; waits for one. */
  next(): Promise<Question> {
    return this.#nvim.waitFor('a question', () => this.pending());
  }

  pending(): Promise<Question | null> {
    return this.#nvim.lua<Question | null>('return _G.sidekicks_test_question.shown');
  }

  /** Answers the question that waits: a text, a choice that begins so, or null to give up. Gives the question. */
  async answer(answer: string | null): Promise<Question> {
    const question = await this.next();
    if (answer !== null && question.choices && !question.choices.some((choice) => choice.startsWith(answer))) {
      throw new Error(`no choice ${answer} among ${question.choices.join(' | ')}`);
    }
    await this.#nvim.lua('_G.sidekicks_test_question.answer(...)', answer);
    return question;
  }

  /** Answers one after the other; gives the prompts. */
  async answerAll(...answers: readonly (string | null)[]): Promise<string[]> {
    const prompts: string[] = [];
    for (const answer of answers) prompts.push((await this.answer(answer)).prompt);
    return prompts;
  }
}

const REPLACE = `
  local question = {}
  _G.sidekicks_test_question = question
  local function ask(shown, answered)
    question.shown = shown
    question.answer = function(answer)
      question.shown = nil
      vim.schedule(function() answered(answer ~= vim.NIL and answer or nil) end)
    end
  end
  vim.ui.input = function(opts, callback)
    ask({ prompt = vim.trim(opts.prompt), default = opts.default, completion = opts.completion }, callback)
  end
  vim.ui.select = function(items, opts, callback)
    local choices = vim.tbl_map(opts.format_item or tostring, items)
    ask({ prompt = opts.prompt, choices = choices }, function(answer)
      for index, choice in ipairs(choices) do
        if answer and vim.startswith(choice, answer) then
          return callback(items[index], index)
        end
      end
      callback(nil)
    end)
  end
`;
