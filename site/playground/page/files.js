// A file system in memory for the worker, with the functions of Node that Go's package syscall calls. Each function
// calls its callback at once.
"use strict";

(() => {
  const flags = {O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536};
  const directory = 0o040755, regular = 0o100644;
  let inodes = 0;
  const folder = () => ({mode: directory, ino: ++inodes, time: Date.now(), names: new Map()});
  const file = () => ({mode: regular, ino: ++inodes, time: Date.now(), bytes: new Uint8Array(0), size: 0});
  const root = folder(), opened = new Map();
  let next = 3;

  function fail(code) {
    throw Object.assign(new Error(code), {code});
  }

  // resolve returns an absolute path without "." and "..".
  function resolve(...parts) {
    let all = [];
    for (const part of parts) {
      if (part.startsWith("/")) all = [];
      for (const name of part.split("/")) {
        if (name === "..") all.pop();
        else if (name && name !== ".") all.push(name);
      }
    }
    return "/" + all.join("/");
  }

  function split(path) {
    return resolve("/work", path).split("/").filter(name => name);
  }

  // find returns the node at a path.
  function find(path) {
    let node = root;
    for (const name of split(path)) {
      if (!node.names) fail("ENOTDIR");
      node = node.names.get(name) || fail("ENOENT");
    }
    return node;
  }

  // place returns the folder of a path and the last name of the path.
  function place(path) {
    const parts = split(path), name = parts.pop();
    if (name === undefined) fail("EEXIST");
    const parent = find("/" + parts.join("/"));
    if (!parent.names) fail("ENOTDIR");
    return {parent, name};
  }

  function stats(node) {
    const size = node.names ? 0 : node.size;
    return {dev: 1, ino: node.ino, mode: node.mode, nlink: 1, uid: 0, gid: 0, rdev: 0, size, blksize: 4096,
      blocks: Math.ceil(size / 512), atimeMs: node.time, mtimeMs: node.time, ctimeMs: node.time,
      isDirectory: () => Boolean(node.names)};
  }

  function resize(node, size) {
    if (size > node.bytes.length) {
      const larger = new Uint8Array(Math.max(size, 2 * node.bytes.length, 1024));
      larger.set(node.bytes.subarray(0, node.size));
      node.bytes = larger;
    } else if (size < node.size) {
      node.bytes.fill(0, size, node.size);
    }
    node.size = size;
    node.time = Date.now();
  }

  function handle(fd) {
    return opened.get(fd) || fail("EBADF");
  }

  function open(path, flag) {
    const {parent, name} = path === "/" ? {} : place(path);
    let node = path === "/" ? root : parent.names.get(name);
    if (node && flag & flags.O_CREAT && flag & flags.O_EXCL) fail("EEXIST");
    if (!node && !(flag & flags.O_CREAT)) fail("ENOENT");
    if (!node) parent.names.set(name, node = file());
    if (node.names && flag & (flags.O_WRONLY | flags.O_RDWR)) fail("EISDIR");
    if (!node.names && flag & flags.O_DIRECTORY) fail("ENOTDIR");
    if (flag & flags.O_TRUNC && !node.names) resize(node, 0);
    opened.set(next, {node, at: 0, append: Boolean(flag & flags.O_APPEND)});
    return next++;
  }

  function read(fd, buffer, offset, length, position) {
    const h = handle(fd);
    if (h.node.names) fail("EISDIR");
    const from = position ?? h.at, n = Math.max(0, Math.min(length, h.node.size - from));
    buffer.set(h.node.bytes.subarray(from, from + n), offset);
    if (position === null || position === undefined) h.at += n;
    return n;
  }

  function write(fd, buffer, offset, length, position) {
    if (fd === 1 || fd === 2) {
      console.log(new TextDecoder().decode(buffer.subarray(offset, offset + length)).trimEnd());
      return length;
    }
    const h = handle(fd), from = h.append ? h.node.size : position ?? h.at;
    if (from + length > h.node.size) resize(h.node, from + length);
    h.node.bytes.set(buffer.subarray(offset, offset + length), from);
    h.node.time = Date.now();
    if (position === null || position === undefined) h.at = from + length;
    return length;
  }

  function mkdir(path) {
    const {parent, name} = place(path);
    if (parent.names.has(name)) fail("EEXIST");
    parent.names.set(name, folder());
  }

  function unlink(path) {
    const {parent, name} = place(path), node = parent.names.get(name) || fail("ENOENT");
    if (node.names) fail("EISDIR");
    parent.names.delete(name);
  }

  function rmdir(path) {
    const {parent, name} = place(path), node = parent.names.get(name) || fail("ENOENT");
    if (!node.names) fail("ENOTDIR");
    if (node.names.size) fail("ENOTEMPTY");
    parent.names.delete(name);
  }

  function rename(from, to) {
    const a = place(from), b = place(to), node = a.parent.names.get(a.name) || fail("ENOENT");
    const old = b.parent.names.get(b.name);
    if (old && old !== node && old.names) fail(old.names.size ? "ENOTEMPTY" : "EISDIR");
    a.parent.names.delete(a.name);
    b.parent.names.set(b.name, node);
  }

  function link(from, to) {
    const node = find(from), {parent, name} = place(to);
    if (parent.names.has(name)) fail("EEXIST");
    parent.names.set(name, node);
  }

  const functions = {
    open, read, write, mkdir, unlink, rmdir, rename, link,
    close: fd => { opened.delete(fd) || fail("EBADF"); },
    stat: path => stats(find(path)),
    lstat: path => stats(find(path)),
    fstat: fd => stats(handle(fd).node),
    readdir: path => [...(find(path).names || fail("ENOTDIR")).keys()],
    truncate: (path, size) => resize(find(path), size),
    ftruncate: (fd, size) => resize(handle(fd).node, size),
    utimes: (path, atime, mtime) => { find(path).time = mtime * 1000; },
    chmod: path => { find(path); }, fchmod: fd => { handle(fd); },
    chown: path => { find(path); }, fchown: fd => { handle(fd); }, lchown: path => { find(path); },
    readlink: path => { find(path); fail("EINVAL"); },
    symlink: () => fail("ENOSYS"),
    fsync: () => undefined,
  };
  globalThis.fs = {constants: flags, writeSync: (fd, buffer) => write(fd, buffer, 0, buffer.length, null)};
  for (const [name, act] of Object.entries(functions)) {
    globalThis.fs[name] = (...args) => {
      const done = args.pop();
      let result;
      try {
        result = act(...args);
      } catch (error) {
        if (!error.code) throw error;
        done(error);
        return;
      }
      done(null, result);
    };
  }
  globalThis.path = {resolve: (...parts) => resolve("/work", ...parts)};
  globalThis.process = {pid: 1, ppid: 0, getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0,
    getgroups: () => fail("ENOSYS"), umask: () => 0, cwd: () => "/work", chdir: () => fail("ENOSYS")};
  mkdir("/work");
  mkdir("/tmp");

  // putFile stores a file of the user.
  globalThis.putFile = (name, bytes) => {
    const fd = open("/work/" + name, flags.O_WRONLY | flags.O_CREAT | flags.O_TRUNC);
    write(fd, bytes, 0, bytes.length, null);
    opened.delete(fd);
  };
})();
