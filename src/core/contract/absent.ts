// The methods of SPEC section 14 that are still to come: refused as such, and not as misspelt ones.
export const absentMethods: readonly string[] = [
  'TerminalService.Open',
  'TerminalService.Write',
  'TerminalService.Resize',
  'TerminalService.Close',
];
