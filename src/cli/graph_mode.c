/* --graph: reads, checks and draws a model. Also draws a model with faults. */
#include "picture.h"
#include "report_text.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Reads `fd` to its end. Returns false, with errno set, on an error. */
static bool read_all(int fd, cli_string *out) {
  char block[65536];
  ssize_t n;
  while ((n = read(fd, block, sizeof block)) > 0 || (n < 0 && errno == EINTR))
    if (n > 0)
      cli_add(out, "%.*s", (int)n, block);
  return n == 0;
}

/* Starts `dot -Tsvg`, which reads the file `text`; the caller reads the output from `*out_fd`. Returns 0, or errno on
 * failure. */
static int start_dot(FILE *text, pid_t *out_child, int *out_fd) {
  char *arguments[] = {"dot", "-Tsvg", NULL};
  posix_spawn_file_actions_t actions;
  int ends[2];
  if (pipe(ends) != 0)
    return errno;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(text), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  const int error = posix_spawnp(out_child, "dot", &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  *out_fd = ends[0];
  if (error != 0)
    close(ends[0]);
  return error;
}

static irrun_status fail_dot(cli *c, const char *why) {
  return cli_fault(c->context, "IR704", NULL,
                   "install Graphviz (Debian package graphviz), or draw with --graph=dot or --graph=mermaid, which "
                   "need nothing",
                   "--graph=svg needs the program 'dot', which %s", why);
}

/* Runs `dot` on a temporary file. Two pipes could block both processes, because `dot` can write before it has read all
 * its input. */
static irrun_status run_dot(cli *c, const cli_string *dot, cli_string *out_svg) {
  FILE *text = tmpfile();
  pid_t child;
  int fd = -1, ended = 0;
  if (text == NULL || fwrite(cli_text(dot), 1, dot->length, text) != dot->length || fflush(text) != 0 ||
      fseek(text, 0, SEEK_SET) != 0) {
    const int error = errno;
    if (text != NULL)
      fclose(text);
    return cli_fault(c->context, "IR702", NULL, "set TMPDIR to a folder with room", "cannot write a temporary file: %s",
                     strerror(error));
  }
  const int error = start_dot(text, &child, &fd);
  fclose(text);
  if (error != 0)
    return fail_dot(c, error == ENOENT ? "is not in PATH" : strerror(error));
  const bool is_read = read_all(fd, out_svg);
  close(fd);
  while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
    continue;
  const bool is_good = is_read && WIFEXITED(ended) && WEXITSTATUS(ended) == 0 && out_svg->length > 0;
  return is_good ? IRRUN_OK : fail_dot(c, "was found but failed");
}

static irrun_status draw(cli *c, irrun_model *model, irrun_status of_model, cli_string *out) {
  int at = 0;
  const char *form = cli_options_next(&c->options, CLI_OPTION_GRAPH, &at);
  cli_picture picture;
  cli_string dot = {0};
  irrun_status status = IRRUN_OK;
  cli_picture_make(c, model, of_model, &picture);
  if (strcmp(form, "svg") == 0) {
    picture.has_tooltips = true;
    cli_picture_draw(&picture, &cli_dot_pen, &dot);
    status = run_dot(c, &dot, out);
  } else {
    cli_picture_draw(&picture, strcmp(form, "dot") == 0 ? &cli_dot_pen : &cli_mermaid_pen, out);
  }
  cli_picture_free(&picture);
  cli_reset(&dot);
  return status;
}

static void print_written(cli *c, const char *path, irrun_model *model, irrun_status of_model) {
  cli_string line = {0};
  cli_add_written(&line, c, path);
  fprintf(c->results, "%s\n", cli_text(&line));
  cli_print_verdict(c, model, cli_model_info(model).path, of_model);
  cli_reset(&line);
}

irrun_status cli_graph_mode(cli *c) {
  int at = 0;
  const char *path = cli_options_next(&c->options, CLI_OPTION_OUTPUT, &at);
  irrun_model *model;
  cli_string text = {0};
  const bool to_file = path != NULL && strcmp(path, "-") != 0;
  irrun_status status = to_file ? cli_check_kept(c, CLI_OPTION_OUTPUT, 0, path) : IRRUN_OK;
  if (status == IRRUN_OK && to_file)
    status = irrun_output_check(c->context, path);
  if (status != IRRUN_OK)
    return status;
  const irrun_status of_model = cli_read_model(c, c->options.models[0], IRRUN_TO_CHECK, &model);
  if (model != NULL && status == IRRUN_OK)
    status = draw(c, model, of_model, &text);
  if (model != NULL && status == IRRUN_OK && to_file)
    status = irrun_text_write(c->context, cli_text(&text), path);
  cli_show_diagnostics(c);
  if (model != NULL && status == IRRUN_OK && to_file && !c->options.silent)
    print_written(c, path, model, of_model);
  else if (model != NULL && status == IRRUN_OK && !to_file)
    fwrite(cli_text(&text), 1, text.length, c->results);
  irrun_model_free(model);
  cli_reset(&text);
  return irrun_status_worse(of_model, status);
}
