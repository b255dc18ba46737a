/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Arguments: by position and by name, integers and elements; and the exceptions that name them.
 */
#include "core.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

PyObject *sheaf_Error, *sheaf_ArgumentError;

static void set_text(PyObject *error, const char *name, const char *text)
{
    PyObject *value = text ? PyUnicode_FromString(text) : (Py_INCREF(Py_None), Py_None);
    if (value)
        PyObject_SetAttrString(error, name, value);
    Py_XDECREF(value);
}

static PyObject *raise_as(PyObject *type, const char *call, const char *argument, const char *format, va_list list)
{
    char what[400], message[600];
    vsnprintf(what, sizeof what, format, list);
    snprintf(message, sizeof message, "PE %d: %s: %s%s%s%s [%s]", sheaf_pe, call, argument ? "argument " : "",
             argument ? argument : "", argument ? ": " : "", what, argument ? "SH151" : "SH152");
    /* Cut to its length, it may end in the middle of a character. */
    PyObject *text = PyUnicode_DecodeUTF8(message, (Py_ssize_t)strlen(message), "replace");
    PyObject *error = text ? PyObject_CallFunctionObjArgs(type, text, NULL) : NULL;
    Py_XDECREF(text);
    if (!error)
        return NULL;
    PyObject *pe = PyLong_FromLong(sheaf_pe);
    PyObject_SetAttrString(error, "pe", pe);
    Py_XDECREF(pe);
    set_text(error, "call", call);
    set_text(error, "argument", argument);
    PyErr_SetObject(type, error);
    Py_DECREF(error);
    return NULL;
}

PyObject *sheaf_wrong(const char *call, const char *argument, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    raise_as(sheaf_ArgumentError, call, argument, format, list);
    va_end(list);
    return NULL;
}

PyObject *sheaf_failed(const char *call, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    raise_as(sheaf_Error, call, NULL, format, list);
    va_end(list);
    return NULL;
}

PyTypeObject *sheaf_add_type(PyObject *module, const char *name, PyType_Spec *spec)
{
    PyObject *type = PyType_FromSpec(spec);
    if (!type)
        return NULL;
    Py_INCREF(type);
    return PyModule_AddObject(module, name, type) ? NULL : (PyTypeObject *)type;
}

PyObject *sheaf_no_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)args;
    (void)keywords;
    return PyErr_Format(PyExc_TypeError, "%R is made by sheaf's calls alone", (PyObject *)type);
}

static int place_named(const struct sheaf_signature *signature, int count, PyObject *name, PyObject *value,
                       PyObject **values)
{
    for (int i = 0; i < count; i++)
        if (PyUnicode_CompareWithASCIIString(name, signature->names[i]) == 0) {
            if (values[i])
                return PyErr_Format(PyExc_TypeError, "%s() got argument '%U' twice", signature->call, name), -1;
            values[i] = value;
            return 0;
        }
    PyErr_Format(PyExc_TypeError, "%s() has no argument '%U'", signature->call, name);
    return -1;
}

int sheaf_arguments(const struct sheaf_signature *signature, PyObject *const *args, Py_ssize_t nargs,
                    PyObject *names, PyObject **values)
{
    int count = 0;
    for (; count < 8 && signature->names[count]; count++)
        values[count] = count < nargs ? args[count] : NULL;
    if (nargs > count) {
        PyErr_Format(PyExc_TypeError, "%s() takes %d arguments at most, not %zd", signature->call, count, nargs);
        return -1;
    }
    Py_ssize_t named = names ? PyTuple_Size(names) : 0;
    for (Py_ssize_t i = 0; i < named; i++)
        if (place_named(signature, count, PyTuple_GetItem(names, i), args[nargs + i], values))
            return -1;
    for (int i = 0; i < signature->required; i++)
        if (!values[i]) {
            PyErr_Format(PyExc_TypeError, "%s() needs the argument '%s'", signature->call, signature->names[i]);
            return -1;
        }
    return 0;
}

int sheaf_integer(const char *call, const char *argument, PyObject *value, long lowest, long *result)
{
    /* Up to Python 3.9 the conversion takes fractions, too. */
    PyObject *index = __builtin_expect(PyLong_Check(value), 1) ? (Py_INCREF(value), value) : PyNumber_Index(value);
    *result = index ? PyLong_AsLong(index) : -1;
    Py_XDECREF(index);
    if (*result == -1 && PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_TypeError) && !PyErr_ExceptionMatches(PyExc_OverflowError))
            return -1;
        PyErr_Clear();
        sheaf_wrong(call, argument, "must be an integer of at most 64 bits");
        return -1;
    }
    if (*result < lowest) {
        sheaf_wrong(call, argument, "%ld is below %ld", *result, lowest);
        return -1;
    }
    return 0;
}

static const uint8_t kinds[] = {
    [NPY_BOOL] = SHEAF_U8, [NPY_BYTE] = SHEAF_I8, [NPY_UBYTE] = SHEAF_U8, [NPY_SHORT] = SHEAF_I16,
    [NPY_USHORT] = SHEAF_U16, [NPY_INT] = SHEAF_I32, [NPY_UINT] = SHEAF_U32, [NPY_LONG] = SHEAF_I64,
    [NPY_ULONG] = SHEAF_U64, [NPY_LONGLONG] = SHEAF_I64, [NPY_ULONGLONG] = SHEAF_U64, [NPY_FLOAT] = SHEAF_F32,
    [NPY_DOUBLE] = SHEAF_F64, [NPY_LONGDOUBLE] = SHEAF_LONG_DOUBLE, [NPY_CFLOAT] = SHEAF_C64,
    [NPY_CDOUBLE] = SHEAF_C128};

enum sheaf_kind sheaf_kind_of(PyArrayObject *array)
{
    unsigned type = (unsigned)PyArray_TYPE(array);
    return type < sizeof kinds ? (enum sheaf_kind)kinds[type] : SHEAF_OTHER;
}

const char *sheaf_type_name(PyArrayObject *array, char text[64])
{
    PyObject *name = PyObject_Str((PyObject *)PyArray_DESCR(array));
    PyObject *bytes = name ? PyUnicode_AsUTF8String(name) : NULL;
    snprintf(text, 64, "%s", bytes ? PyBytes_AsString(bytes) : "?");
    Py_XDECREF(name);
    Py_XDECREF(bytes);
    return text;
}

PyObject *sheaf_unfit_kind(const char *call, const char *argument, PyArrayObject *array)
{
    char type[64];
    return sheaf_wrong(call, argument, "is of type %s, which this call does not take", sheaf_type_name(array, type));
}

static const struct {
    int64_t lowest;
    uint64_t highest;
} limits[] = {[SHEAF_I8] = {INT8_MIN, INT8_MAX},    [SHEAF_U8] = {0, UINT8_MAX},
              [SHEAF_I16] = {INT16_MIN, INT16_MAX}, [SHEAF_U16] = {0, UINT16_MAX},
              [SHEAF_I32] = {INT32_MIN, INT32_MAX}, [SHEAF_U32] = {0, UINT32_MAX},
              [SHEAF_I64] = {INT64_MIN, INT64_MAX}, [SHEAF_U64] = {0, UINT64_MAX}};

/* Little endian or not: a member of the union is written, not its low bytes. */
static void set_integer(enum sheaf_kind kind, uint64_t value, union sheaf_element *element)
{
    switch (kind) {
    case SHEAF_I8: case SHEAF_U8: element->u8 = (uint8_t)value; break;
    case SHEAF_I16: case SHEAF_U16: element->u16 = (uint16_t)value; break;
    case SHEAF_I32: case SHEAF_U32: element->u32 = (uint32_t)value; break;
    default: element->u64 = value;
    }
}

static int integer_from(enum sheaf_kind kind, PyObject *value, union sheaf_element *element)
{
    PyObject *index = PyNumber_Index(value);
    if (!index)
        return -1;
    int overflow;
    long long number = PyLong_AsLongLongAndOverflow(index, &overflow);
    uint64_t bits = (uint64_t)number;
    bool fits = !overflow && number >= limits[kind].lowest &&
                (number < 0 || (uint64_t)number <= limits[kind].highest);
    if (overflow > 0 && kind == SHEAF_U64) {
        bits = PyLong_AsUnsignedLongLong(index);
        fits = !PyErr_Occurred();
    }
    Py_DECREF(index);
    set_integer(kind, bits, element);
    return fits ? 0 : -1;
}

static int number_from(enum sheaf_kind kind, PyObject *value, union sheaf_element *element)
{
    if (kind <= SHEAF_U64)
        return integer_from(kind, value, element);
    if (kind == SHEAF_F32 || kind == SHEAF_F64) {
        double number = PyFloat_AsDouble(value);
        if (kind == SHEAF_F32)
            element->f32 = (float)number;
        else
            element->f64 = number;
        return number == -1 && PyErr_Occurred() ? -1 : 0;
    }
    PyObject *number = PyUnicode_Check(value) ? NULL /* which Python would parse */
                                              : PyObject_CallFunctionObjArgs((PyObject *)&PyComplex_Type, value, NULL);
    if (!number)
        return -1;
    double parts[] = {PyComplex_RealAsDouble(number), PyComplex_ImagAsDouble(number)};
    Py_DECREF(number);
    for (int i = 0; i < 2; i++)
        if (kind == SHEAF_C64)
            element->c64[i] = (float)parts[i];
        else
            element->c128[i] = parts[i];
    return 0;
}

int sheaf_element_from(const char *call, const char *argument, enum sheaf_kind kind, PyObject *value,
                       union sheaf_element *element)
{
    static const char *const names[] = {"int8",   "uint8",  "int16",   "uint16",  "int32",      "uint32",    "int64",
                                        "uint64", "float32", "float64", "longdouble", "complex64", "complex128"};
    if (number_from(kind, value, element) == 0)
        return 0;
    PyErr_Clear();
    PyObject *text = PyObject_Repr(value);
    PyObject *bytes = text ? PyUnicode_AsUTF8String(text) : NULL;
    if (bytes)
        sheaf_wrong(call, argument, "%.60s is no value of type %s", PyBytes_AsString(bytes), names[kind]);
    Py_XDECREF(text);
    Py_XDECREF(bytes);
    return -1;
}

PyObject *sheaf_element_to(enum sheaf_kind kind, const union sheaf_element *element)
{
    switch (kind) {
    case SHEAF_I8: return PyLong_FromLong(element->i8);
    case SHEAF_U8: return PyLong_FromLong(element->u8);
    case SHEAF_I16: return PyLong_FromLong(element->i16);
    case SHEAF_U16: return PyLong_FromLong(element->u16);
    case SHEAF_I32: return PyLong_FromLong(element->i32);
    case SHEAF_U32: return PyLong_FromUnsignedLong(element->u32);
    case SHEAF_I64: return PyLong_FromLongLong(element->i64);
    case SHEAF_U64: return PyLong_FromUnsignedLongLong(element->u64);
    case SHEAF_F32: return PyFloat_FromDouble((double)element->f32);
    case SHEAF_F64: return PyFloat_FromDouble(element->f64);
    case SHEAF_C64: return PyComplex_FromDoubles((double)element->c64[0], (double)element->c64[1]);
    case SHEAF_C128: return PyComplex_FromDoubles(element->c128[0], element->c128[1]);
    default: return NULL;
    }
}
