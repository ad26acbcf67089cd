/** Sizes of results, so that one call does not fill the memory of a model, and of what a call may carry. */
export const limits = {
  /** Of the text of a message in a thread. */
  messageCharacters: 4_000,
  /** Of all texts in a result: some 6,000 tokens. */
  resultCharacters: 24_000,
  subjectCharacters: 200,
  snippetCharacters: 200,
  nameCharacters: 120,
  /** Of a list of addresses or names; the number beyond is told. */
  listed: 20,
  /** Files in the arguments of a call, decoded in all. */
  fileBytes: 2 * 1024 * 1024,
  /** Of a file whose text is read. */
  downloadBytes: 16 * 1024 * 1024,
  /** Pages that one call reads, where pages are short. */
  pages: 5,
} as const;
