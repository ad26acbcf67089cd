/** Files that are attached to what a person writes. */

export interface ChosenFile {
  readonly filename: string;
  readonly type: string;
  readonly bytes: number;
  /** Base64. */
  readonly content: string;
}

/** A request of the local run has at most 10 MB, in base64. */
export const filesBytesMax = 7_000_000;

export async function chosenFiles(list: Iterable<File>): Promise<ChosenFile[]> {
  return await Promise.all([...list].map(chosenFile));
}

function chosenFile(file: File): Promise<ChosenFile> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onerror = () => reject(reader.error);
    reader.onload = () => {
      const url = String(reader.result);
      const isType = /^[\w.+-]+\/[\w.+-]+$/.test(file.type);
      resolve({
        filename: file.name,
        type: isType ? file.type : 'application/octet-stream',
        bytes: file.size,
        content: url.slice(url.indexOf(',') + 1),
      });
    };
    reader.readAsDataURL(file);
  });
}

/** What the control routes take. */
export const sentFiles = (files: readonly ChosenFile[]) =>
  files.map(({ filename, type, content }) => ({ filename, type, content }));
